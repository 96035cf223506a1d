/** A node as an EIP-1193 provider: requests and events without a socket, each answer as it would be over HTTP. */

import { EventEmitter } from 'node:events'
import * as z from 'zod'
import { toQuantity } from '../base/hex.ts'
import { invariant } from '../base/invariant.ts'
import { nextTurn, realHost } from '../base/host.ts'
import type { Dialect } from '../config/dialect.ts'
import type { NodeHooks } from '../config/request-log.ts'
import type { Subscriber } from '../filters/subscriptions.ts'
import type { Node } from '../node.ts'
import { Dispatcher } from '../rpc/dispatch.ts'
import { allMethods } from '../rpc/methods/all.ts'
import { NotificationWriter } from '../rpc/render/notification.ts'
import type { MethodName, MethodResult, Provider, ProviderEvents } from './provider-api.ts'
import type { ProviderRequest, ProviderSettings } from './provider-api.ts'
import { DISCONNECTED, ProviderError, errorObject } from './provider-error.ts'

const answer = z.union([z.object({ error: errorObject }), z.object({ result: z.unknown() })])
const notification = z.object({ params: z.object({ subscription: z.string(), result: z.unknown() }) })

/** What is not for users to say. */
interface NodeProviderSettings extends ProviderSettings {
  /** Id of the isolated chain, for the log. */
  readonly world?: string
  readonly onFault?: NodeHooks['onFault']
}

/** Answers requests of one chain in its process. */
export class NodeProvider extends EventEmitter implements Provider {
  readonly #dispatcher: Dispatcher
  readonly #dialect: Dialect
  readonly #subscriber: Subscriber
  readonly #node: Pick<Node, 'miner'>
  /** What listeners were told last; nothing before the first request. */
  #told: string | undefined
  #isClosed = false

  constructor(node: Node, { dialect, world, onRequest, onFault }: NodeProviderSettings) {
    super()
    const { batchLimit, answerLimit } = node.options
    this.#dialect = dialect ?? node.options.dialect
    this.#node = node
    const writer = new NotificationWriter(node.network)
    this.#subscriber = node.subscriptions.connect((id, event) => {
      const { params } = notification.parse(JSON.parse(writer.write(id, event)))
      this.#tell('message', { type: 'eth_subscription', data: params })
    })
    this.#dispatcher = new Dispatcher(node, {
      registry: allMethods.named(node.network.names),
      batchLimit,
      answerLimit,
      now: realHost.now,
      subscriber: this.#subscriber,
      world,
      onRequest,
      onFault,
    })
  }

  readonly request = async <Method extends MethodName>({
    method,
    params,
  }: ProviderRequest<Method>): Promise<MethodResult<Method>> => {
    if (this.#isClosed) throw new ProviderError({ code: DISCONNECTED, message: 'the provider is closed' })
    const body = bodyOf(method, params)
    this.#tellChainId()
    const text = await this.#dispatcher.answer(body, this.#dialect)
    this.#tellChainId()
    // Whoever asked learns the id of a subscription before he hears of it.
    void nextTurn().then(() => this.#subscriber.release())
    return resultOf<Method>(text)
  }

  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#subscriber.close()
    this.#tell('disconnect', new ProviderError({ code: DISCONNECTED, message: 'the provider is closed' }))
    this.removeAllListeners()
  }

  /** Tells the chain id before the first request, and when it is another one (anvil_setChainId, or a revert of it). */
  #tellChainId(): void {
    const chainId = toQuantity(this.#node.miner.settings.chainId)
    const told = this.#told
    if (told === chainId) return
    this.#told = chainId
    if (told === undefined) this.#tell('connect', { chainId })
    else this.#tell('chainChanged', chainId)
  }

  /**
   * What a listener throws is nobody's answer, must not stop the chain in the middle of a block, and keeps nothing from
   * other listeners: it ends uncaught.
   */
  #tell<Event extends keyof ProviderEvents>(event: Event, ...about: ProviderEvents[Event]): void {
    for (const listener of this.rawListeners(event)) {
      try {
        Reflect.apply(listener, this, about)
      } catch (error) {
        queueMicrotask(() => {
          throw error
        })
      }
    }
  }
}

/** Through JSON, as over a socket: neither side ever holds an object of the other's. */
function bodyOf(method: string, params: unknown): string {
  try {
    return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new ProviderError({ code: -32602, message: `params of ${method} are no JSON: ${reason}` })
  }
}

function resultOf<Method extends MethodName>(text: string | undefined): MethodResult<Method> {
  const parsed = answer.parse(JSON.parse(text ?? ''))
  if ('error' in parsed) throw new ProviderError(parsed.error)
  const { result } = parsed
  invariant(isResult<Method>(result), 'an answer has a result')
  return result
}

/** Results are of their declared shapes: every method is tested for it. */
function isResult<Method extends MethodName>(result: unknown): result is MethodResult<Method> {
  return result !== undefined
}
