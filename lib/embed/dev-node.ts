/** Creates nodes inside a program and closes them. */

import { helped } from '../base/errors.ts'
import { realHost } from '../base/host.ts'
import { toHex, type Address, type Hex } from '../base/hex.ts'
import type { NetworkValues } from '../config/network-values.ts'
import type { OptionsInput } from '../modules/options.ts'
import type { NodeHooks, RequestLogEntry } from '../config/request-log.ts'
import { resolveOptions } from '../modules/resolve-options.ts'
import { MODULES } from '../modules/list.ts'
import { createNode as wireNode, type Node } from '../node/node.ts'
import { connectHooks, type RequestHooks } from '../rpc/execution-log.ts'
import { RequestHistory } from '../rpc/request-history.ts'
import { createWorld } from '../rpc/methods/worlds.ts'
import { DISCONNECTED, ProviderError, type Provider, type ProviderSettings } from './provider-api.ts'
import { NodeProvider } from './provider.ts'

/** An account that the node funds and whose key it holds. */
export interface DevAccount {
  readonly address: Address
  readonly privateKey: Hex
  /** Wei at genesis. */
  readonly balance: bigint
}

/** Members of a world in place of those of the default chain (docs/two-chains.md). */
export interface WorldMembers {
  /** Name of a preset. */
  readonly network?: string
  readonly hardfork?: string
  readonly chainId?: number | string
  /** A remote chain to continue, without a URL that of the option forkUrl. */
  readonly fork?: {
    readonly url?: string | readonly string[]
    readonly blockNumber?: number | string
    readonly transaction?: string
    readonly headers?: readonly string[] | Readonly<Record<string, string>>
  }
}

/** A node that runs in this process. `await using node = await createNode()` closes it when the scope ends. */
export class DevNode implements AsyncDisposable {
  readonly network: NetworkValues
  readonly accounts: readonly DevAccount[]
  /** The default provider. Its errors follow the option `dialect`. */
  readonly provider: Provider
  readonly #node: Node
  readonly #hooks: RequestHooks
  readonly #history: RequestHistory
  readonly #providers = new Set<Provider>()
  #isClosed = false

  /** @internal */
  constructor(node: Node, hooks: NodeHooks, history = new RequestHistory(realHost)) {
    this.#node = node
    this.#history = history
    this.#hooks = connectHooks(node, hooks)
    this.network = node.network
    this.accounts = (node.options.holdsKeys ? node.funded : []).map(({ privateKey, ...account }) => ({
      ...account,
      privateKey: toHex(privateKey),
    }))
    this.provider = this.createProvider()
  }

  /** Another provider, with its own subscriptions and dialect. @throws ProviderError if the node is closed */
  createProvider(settings: ProviderSettings & { readonly isRemote?: boolean } = {}): Provider {
    this.#refuseWhenClosed()
    return this.#keep(new NodeProvider(this.#node, this.#withHooks(settings)))
  }

  #withHooks(settings: ProviderSettings) {
    const { onRequest, ...hooks } = { ...this.#hooks, history: this.#history }
    const listeners = [onRequest, settings.onRequest].filter((listener) => listener !== undefined)
    if (listeners.length === 0) return { ...settings, ...hooks }
    const readsConsoleOnly = settings.onRequest === undefined ? hooks.readsConsoleOnly : undefined
    const report = (entry: RequestLogEntry): void => listeners.forEach((listen) => listen(entry))
    return { ...settings, ...hooks, onRequest: report, readsConsoleOnly }
  }

  #keep(provider: Provider): Provider {
    this.#providers.add(provider)
    return provider.once('disconnect', () => this.#providers.delete(provider))
  }

  /**
   * A provider of a world: an isolated chain, which is created from this chain's head unless it exists. The provider is closed
   * when the node is closed or the world is deleted. The world does not expire before the provider is closed.
   * @throws NodeError 'invalidParams' for an invalid id, 'limitExceeded'; ProviderError if the node is closed
   */
  world(id: string, settings?: ProviderSettings): Provider
  /**
   * Creates a world with a network, hard fork or chain id of its own, or one that continues a remote chain, and returns a provider.
   * @throws ProviderError also if the world exists
   */
  world(id: string, settings: ProviderSettings & WorldMembers): Promise<Provider>
  world(id: string, settings: ProviderSettings & WorldMembers = {}): Provider | Promise<Provider> {
    const { network, hardfork, chainId, fork, ...others } = settings
    const world = { id, network, hardfork, chainId, fork }
    if ((network ?? hardfork ?? chainId ?? fork) === undefined) return this.#providerOfWorld(id, others)
    return this.provider
      .request({ method: createWorld.name, params: [world] })
      .then(() => this.#providerOfWorld(id, others))
  }

  #providerOfWorld(id: string, settings: ProviderSettings): Provider {
    this.#refuseWhenClosed()
    const { chain, release } = this.#node.worlds.acquire(id, () => provider.close())
    const provider = new NodeProvider(chain, { ...this.#withHooks(settings), world: id })
    provider.once('disconnect', release)
    return this.#keep(provider)
  }

  #refuseWhenClosed(): void {
    if (this.#isClosed) throw new ProviderError({ code: DISCONNECTED, message: 'the node is closed' })
  }

  /** Stops the timers, ends the subscriptions, and frees the chain. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const provider of this.#providers) provider.close()
    this.#providers.clear()
    await this.#node.close()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }
}

/**
 * Creates a node in this process; no port is opened.
 * @throws NodeError 'invalidOption' naming the option, the value, and what is expected
 */
export const createNode = (options: OptionsInput = {}, hooks: NodeHooks = {}): Promise<DevNode> =>
  helped(openNode(options, hooks))

async function openNode(options: OptionsInput, hooks: NodeHooks): Promise<DevNode> {
  const resolved = resolveOptions({ values: options })
  return new DevNode(await wireNode(resolved, { modules: MODULES, onFault: hooks.onFault }), hooks)
}

/** An EIP-1193 provider of a node, for client libraries. */
export const createProvider = (node: DevNode, settings: ProviderSettings = {}): Provider =>
  node.createProvider(settings)
