/** A node as an EIP-1193 provider: requests and events without a socket, each answer as it would be over HTTP. */

import { EventEmitter } from 'node:events'
import { z } from 'zod'
import { toQuantity } from '../base/hex.ts'
import { nextTurn, realOutside } from '../base/outside.ts'
import type { Dialect } from '../config/dialect.ts'
import type { RequestLogEntry } from '../config/request-log.ts'
import type { Subscriber } from '../filters/subscriptions.ts'
import type { Node } from '../node.ts'
import { Dispatcher } from '../rpc/dispatch.ts'
import { allMethods } from '../rpc/methods/all.ts'
import { NotificationWriter } from '../rpc/render/notification.ts'

/** A request (EIP-1193). */
export interface ProviderRequest {
  readonly method: string
  /** By position, or by name as the method table names them. */
  readonly params?: readonly unknown[] | object
}

/** What a provider is made with. */
export interface ProviderSettings {
  /** Client whose error codes and phrases are answered; that of the node unless given. */
  readonly dialect?: Dialect
  /** Id of the isolated chain, for the log. */
  readonly world?: string
  /** Told about every request that reached a method. */
  readonly onRequest?: (entry: RequestLogEntry) => void
}

/** The provider was closed (EIP-1193, "Disconnected"). */
const DISCONNECTED = 4900

/** Error of a request (EIP-1193). */
export class ProviderError extends Error {
  override readonly name = 'ProviderError'
  readonly code: number
  /** Revert data as hex. */
  readonly data: string | undefined
  /** Hash of the transaction that was mined although it failed. */
  readonly txHash: string | undefined

  constructor({ code, message, data, txHash }: ErrorObject) {
    super(message)
    this.code = code
    this.data = data
    this.txHash = txHash
  }
}

const errorObject = z.object({
  code: z.number(),
  message: z.string(),
  data: z.string().optional(),
  txHash: z.string().optional(),
})

type ErrorObject = z.output<typeof errorObject>

const answer = z.union([z.object({ error: errorObject }), z.object({ result: z.unknown() })])
const notification = z.object({ params: z.object({ subscription: z.string(), result: z.unknown() }) })

/**
 * Answers requests of one node in its process.
 * Events: `connect` after the first request, `message` for subscriptions, `disconnect` when it is closed (EIP-1193).
 */
export class Provider extends EventEmitter {
  readonly #dispatcher: Dispatcher
  readonly #dialect: Dialect
  readonly #subscriber: Subscriber
  readonly #chainId: string
  #isConnected = false
  #isClosed = false

  constructor(node: Node, { dialect, world, onRequest }: ProviderSettings = {}) {
    super()
    const { batchLimit, answerLimit } = node.options
    this.#dialect = dialect ?? node.options.dialect
    this.#chainId = toQuantity(node.network.chainId)
    const writer = new NotificationWriter(node.network)
    this.#subscriber = node.subscriptions.connect((id, happening) => {
      const { params } = notification.parse(JSON.parse(writer.write(id, happening)))
      this.emit('message', { type: 'eth_subscription', data: params })
    })
    this.#dispatcher = new Dispatcher(node, {
      ...{ registry: allMethods.named(node.network.names), batchLimit, answerLimit, now: realOutside.now },
      ...{ subscriber: this.#subscriber, world, onRequest },
    })
  }

  /** @throws ProviderError with the code and data that an HTTP client is told */
  readonly request = async ({ method, params }: ProviderRequest): Promise<unknown> => {
    if (this.#isClosed) throw new ProviderError({ code: DISCONNECTED, message: 'the provider is closed' })
    const body = bodyOf(method, params)
    this.#connect()
    const text = await this.#dispatcher.answer(body, this.#dialect)
    // Whoever asked learns the id of a subscription before he hears of it.
    void nextTurn().then(() => this.#subscriber.release())
    return resultOf(text)
  }

  /** Ends its subscriptions and every later request. */
  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#subscriber.close()
    this.emit('disconnect', new ProviderError({ code: DISCONNECTED, message: 'the provider is closed' }))
    this.removeAllListeners()
  }

  #connect(): void {
    if (this.#isConnected) return
    this.#isConnected = true
    this.emit('connect', { chainId: this.#chainId })
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

function resultOf(text: string | undefined): unknown {
  const parsed = answer.parse(JSON.parse(text ?? ''))
  if ('error' in parsed) throw new ProviderError(parsed.error)
  return parsed.result
}
