/** Types of a provider: requests and results by method, events, and the errors that it throws (EIP-1193). */

import type { Dialect } from '../config/dialect.ts'
import type { RequestLogEntry, LoggedStack } from '../config/request-log.ts'
import type { RpcMethods } from './rpc-types.ts'

/** Name of a known method, or any other name, for networks that rename methods. */
export type MethodName = keyof RpcMethods | (string & {})

/** Params of a method: by position, or by the names in the method table. */
export type MethodParams<Method extends MethodName> = Method extends keyof RpcMethods
  ? RpcMethods[Method]['params'] | RpcMethods[Method]['named']
  : readonly unknown[] | object

export type MethodResult<Method extends MethodName> = Method extends keyof RpcMethods
  ? RpcMethods[Method]['result']
  : unknown

/** A request (EIP-1193). Params are optional if the method needs none. */
export type ProviderRequest<Method extends MethodName = string> = {
  readonly method: Method
} & (readonly [] extends MethodParams<Method>
  ? { readonly params?: MethodParams<Method> | undefined }
  : { readonly params: MethodParams<Method> })

export interface ProviderSettings {
  /** Client whose error codes and phrases are used; by default that of the node. */
  readonly dialect?: Dialect
  /** Called after every request that reached a method. */
  readonly onRequest?: (entry: RequestLogEntry) => void
  /** @internal Whether the message and the stack of a revert are made when `explained` of its error is read. */
  readonly explainsLater?: boolean
}

/** A notification of a subscription (EIP-1193). */
export interface ProviderMessage {
  readonly type: string
  readonly data: { readonly subscription: string; readonly result: unknown }
}

/** Listeners' arguments by event. */
export interface ProviderEvents {
  /** After the first request. */
  connect: [info: { readonly chainId: string }]
  /** When the chain id changes (anvil_setChainId, or a revert of it). */
  chainChanged: [chainId: string]
  /** At each event of a subscription. */
  message: [message: ProviderMessage]
  /** When the provider is closed. */
  disconnect: [reason: ProviderError]
}

/** Adds or removes a listener. */
type Listen<Self> = <Event extends keyof ProviderEvents>(
  event: Event,
  listener: (...args: ProviderEvents[Event]) => void,
) => Self

/** An EIP-1193 provider of one chain. */
export interface Provider {
  /**
   * Sends a request. Result and error are those of HTTP.
   * @throws ProviderError with the code and data of the JSON-RPC error
   */
  readonly request: <Method extends MethodName>(
    request: ProviderRequest<Method>,
  ) => Promise<MethodResult<Method>>
  readonly on: Listen<this>
  readonly once: Listen<this>
  readonly off: Listen<this>
  readonly addListener: Listen<this>
  readonly removeListener: Listen<this>
  /** Ends the subscriptions; later requests fail. */
  close(): void
}

/** The provider was closed (EIP-1193, "Disconnected"). */
export const DISCONNECTED = 4900

/** The error object of a JSON-RPC response (JSON-RPC 2.0, 5.1). */
type ErrorObject = Pick<ProviderError, 'code' | 'message'> &
  Partial<Pick<ProviderError, 'data' | 'txHash' | 'solidityStack'>>

type Explain = (part: 'message' | 'stack') => ErrorObject

/** Error that `request` rejects with (EIP-1193, ProviderRpcError). */
export class ProviderError extends Error {
  override readonly name = 'ProviderError'
  readonly code: number
  /** Revert data as hex. */
  readonly data: string | undefined
  /** Hash of the failed transaction, if it was mined. */
  readonly txHash: string | undefined
  /** Functions that ran when an execution failed, innermost first; absent if no contract is known. */
  readonly solidityStack: LoggedStack | undefined
  readonly #explain: Explain | undefined

  constructor({ code, message, data, txHash, solidityStack }: ErrorObject, explain?: Explain) {
    super(message)
    this.#explain = explain
    this.code = code
    this.data = data
    this.txHash = txHash
    this.solidityStack = solidityStack
  }

  /** @internal The message, or also the stack, explained now if that has waited. */
  explained(part: 'message' | 'stack'): Pick<ErrorObject, 'message' | 'solidityStack'> {
    return this.#explain?.(part) ?? this
  }
}
