/** An EIP-1193 provider of a node: requests and events without a socket. Results and errors are those of HTTP. */

import { EventEmitter } from 'node:events'
import { toQuantity } from '../base/hex.ts'
import { invariant } from '../base/invariant.ts'
import { nextTurn, realHost } from '../base/host.ts'
import type { Dialect } from '../config/dialect.ts'
import type { NodeHooks } from '../config/request-log.ts'
import type { Subscriber } from '../chain/filters/subscriptions.ts'
import type { Node } from '../node/node.ts'
import { Dispatcher } from '../rpc/dispatch.ts'
import type { RequestHistory } from '../rpc/request-history.ts'
import { servedBy } from '../rpc/methods/all.ts'
import { notificationWriter } from '../rpc/render/notification.ts'
import {
  DISCONNECTED,
  ProviderError,
  type MethodName,
  type MethodResult,
  type Provider,
  type ProviderEvents,
  type ProviderRequest,
  type ProviderSettings,
} from './provider-api.ts'

interface NodeProviderSettings extends ProviderSettings {
  /** Id of the world, for the log. */
  readonly world?: string
  readonly onFault?: NodeHooks['onFault']
  readonly isRemote?: boolean | undefined
  readonly history: RequestHistory
  readonly readsConsoleOnly?: NodeHooks['readsConsoleOnly']
}

/** Handles requests to a chain in the same process. */
export class NodeProvider extends EventEmitter implements Provider {
  readonly #dispatcher: Dispatcher
  readonly #dialect: Dialect
  readonly #subscriber: Subscriber
  readonly #node: Pick<Node, 'miner'>
  /** Chain id of the last notification; absent before the first request. */
  #lastChainId: bigint | undefined
  #isClosed = false

  constructor(node: Node, settings: NodeProviderSettings) {
    super()
    const { batchLimit, answerLimit } = node.options
    const { dialect, world, onRequest, readsConsoleOnly, onFault, isRemote, history, explainsLater } =
      settings
    const isOther = node.modules.front(node.network.kind) !== undefined
    this.#dialect = (isOther ? undefined : dialect) ?? node.network.dialect
    this.#node = node
    const served = servedBy(node)
    const writer = notificationWriter(node.network, served.form)
    this.#subscriber = node.subscriptions.connect((id, event) => {
      const result: unknown = JSON.parse(writer.resultText(event))
      this.#notify('message', { type: 'eth_subscription', data: { subscription: id, result } })
    })
    this.#dispatcher = new Dispatcher(node, {
      ...served,
      batchLimit,
      answerLimit,
      now: realHost.elapsed,
      history,
      subscriber: this.#subscriber,
      world,
      isRemote,
      onRequest,
      readsConsoleOnly,
      onFault,
      explainsLater,
    })
  }

  readonly request = async <Method extends MethodName>({
    method,
    params,
  }: ProviderRequest<Method>): Promise<MethodResult<Method>> => {
    if (this.#isClosed) throw new ProviderError({ code: DISCONNECTED, message: 'the provider is closed' })
    this.#notifyChainId()
    const answer = await this.#dispatcher.request({ method, params }, this.#dialect)
    this.#notifyChainId()
    // The caller gets the id of a subscription before its first event.
    if (this.#subscriber.isHolding) void nextTurn().then(() => this.#subscriber.release())
    if ('error' in answer) throw new ProviderError(answer.error, answer.explained)
    const { result } = answer
    invariant(isResult<Method>(result), 'an answer has a result')
    return result
  }

  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#subscriber.close()
    this.#notify('disconnect', new ProviderError({ code: DISCONNECTED, message: 'the provider is closed' }))
    this.removeAllListeners()
  }

  /** Notifies listeners of the chain id at the first request and after changes (anvil_setChainId, or its revert). */
  #notifyChainId(): void {
    const { chainId: current } = this.#node.miner.settings
    const last = this.#lastChainId
    if (last === current) return
    this.#lastChainId = current
    const chainId = toQuantity(current)
    if (last === undefined) this.#notify('connect', { chainId })
    else this.#notify('chainChanged', chainId)
  }

  /**
   * Notifies listeners. A listener's error becomes an uncaught exception, because it must not fail a request, interrupt the making
   * of a block, or keep the event from other listeners.
   */
  #notify<Event extends keyof ProviderEvents>(event: Event, ...about: ProviderEvents[Event]): void {
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

/** Trusts the declared result types, which tests check for every method. */
const isResult = <Method extends MethodName>(result: unknown): result is MethodResult<Method> =>
  result !== undefined
