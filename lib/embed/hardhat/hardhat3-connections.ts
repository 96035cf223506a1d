/** Connections of Hardhat 3 to networks of type `dev-node`. Each is a world of a node and ends with the connection. */

import { refuseOption } from '../../base/errors.ts'
import { asPluginError, isDevNode } from './hardhat3-config.ts'
import { HARDHAT_3_ERRORS, hardhatNodes, type OpenChain } from './hardhat3-nodes.ts'
import type { ProviderRequest } from '../provider-api.ts'

type HookRequest = ProviderRequest & { readonly jsonrpc: '2.0'; readonly id: number }
type HookResponse =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string; readonly data?: unknown } }

interface HardhatConnection {
  readonly networkName: string
  readonly chainType: string
  networkConfig: { readonly type: string }
  readonly provider: {
    request: (request: ProviderRequest) => Promise<unknown>
    readonly emit: (event: string, about: unknown) => boolean
  }
}

interface HookContext {
  readonly globalOptions: Readonly<Record<string, unknown>>
  readonly hooks: {
    /** Calls the handlers of Hardhat and its plugins, and finally the function. */
    runHandlerChain(
      category: 'network',
      hook: 'onRequest',
      params: readonly [HardhatConnection, HookRequest],
      last: (context: unknown, connection: unknown, request: HookRequest) => Promise<HookResponse>,
    ): Promise<HookResponse>
  }
}

const EVENTS = ['message', 'notification', 'hardhatNetworkRevertSnapshot', 'hardhatNetworkReset']

export function createHandlers() {
  const chains = new WeakMap<HardhatConnection, OpenChain>()
  return Promise.resolve({
    async newConnection(
      context: HookContext,
      next: (context: HookContext) => Promise<HardhatConnection>,
    ): Promise<HardhatConnection> {
      const connection = await next(context)
      const { networkConfig: network, networkName, chainType } = connection
      if (!isDevNode(network)) return connection
      try {
        refuseUnsupported(chainType, context.globalOptions)
        const chain = await hardhatNodes.open(networkName, network)
        chains.set(connection, chain)
        answerFrom(chain, connection, context.hooks)
        return connection
      } catch (error) {
        throw asPluginError(error)
      }
    },

    async closeConnection(
      context: HookContext,
      connection: HardhatConnection,
      next: (context: HookContext, connection: HardhatConnection) => Promise<void>,
    ): Promise<void> {
      await next(context, connection)
      const chain = chains.get(connection)
      if (chain === undefined) return
      chains.delete(connection)
      // Hardhat's own provider answers that it is closed.
      Reflect.deleteProperty(connection.provider, 'request')
      await chain.close()
    },
  })
}

/** Makes the chain answer the connection's requests after the handlers of Hardhat and its plugins. */
function answerFrom(
  { provider: chain }: OpenChain,
  connection: HardhatConnection,
  hooks: HookContext['hooks'],
): void {
  const { provider, networkConfig } = connection
  // Plugins take other types for a remote: Ignition would then keep a journal of deployments.
  connection.networkConfig = { ...networkConfig, type: 'edr-simulated' }
  let lastId = 0
  provider.request = async ({ method, params = [] }) => {
    const request = { jsonrpc: '2.0', id: ++lastId, method, params } as const
    const response = await hooks.runHandlerChain(
      'network',
      'onRequest',
      [connection, request],
      async (...[, , last]) => ({
        jsonrpc: last.jsonrpc,
        id: last.id,
        result: await chain.request(last),
      }),
    )
    if ('result' in response) return response.result
    const { message, code, data } = response.error
    throw Object.assign(new HARDHAT_3_ERRORS.ProviderError(message, code), { data })
  }
  for (const event of EVENTS) chain.on(event, (about: unknown) => provider.emit(event, about))
}

/** Command options that Hardhat handles with its own chain, each with this node's option that does the same. */
const UNSUPPORTED = [
  ['coverage', '--coverage', 'coverage', "coverage: 'coverage'"],
  ['gasStats', '--gas-stats', 'gas', 'gasReport: true'],
  ['gasStatsJson', '--gas-stats-json', 'gas', "gasReport: 'gas.json'"],
] as const

function refuseUnsupported(chainType: string, given: HookContext['globalOptions']): void {
  if (chainType === 'op')
    refuseOption(
      'DN-PAIR',
      'chainType op: a network of the type dev-node has no rules of Optimism; use l1 or generic, or the type edr-simulated',
    )
  for (const [name, flag, what, own] of UNSUPPORTED) {
    if (given[name] === undefined || given[name] === false) continue
    refuseOption(
      'DN-PAIR',
      `${flag}: a network of the type dev-node reports ${what} by itself: leave the flag out and set ${own} in the network`,
    )
  }
}
