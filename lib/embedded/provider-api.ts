/** What a provider is to those who have one: requests and their answers by method, and its events (EIP-1193). */

import type { Dialect } from '../config/dialect.ts'
import type { RequestLogEntry } from '../config/request-log.ts'
import type { ProviderError } from './provider-error.ts'
import type { RpcMethods } from './rpc-types.ts'

/** A method: one that is known, or any other name, as those of a network that renames them. */
export type MethodName = keyof RpcMethods | (string & {})

/** Params of a method: by position, or by name as the method table names them. */
export type MethodParams<Method extends MethodName> = Method extends keyof RpcMethods
  ? RpcMethods[Method]['params'] | RpcMethods[Method]['named']
  : readonly unknown[] | object

/** What a method answers. */
export type MethodResult<Method extends MethodName> = Method extends keyof RpcMethods
  ? RpcMethods[Method]['result']
  : unknown

/** A request (EIP-1193). Params may be left out where none is needed. */
export type ProviderRequest<Method extends MethodName = string> = {
  readonly method: Method
} & (readonly [] extends MethodParams<Method>
  ? { readonly params?: MethodParams<Method> | undefined }
  : { readonly params: MethodParams<Method> })

/** What a provider is made with. */
export interface ProviderSettings {
  /** Client whose error codes and phrases are answered; that of the node unless given. */
  readonly dialect?: Dialect
  /** Told about every request that reached a method. */
  readonly onRequest?: (entry: RequestLogEntry) => void
}

/** A notification (EIP-1193): what happened to a subscription. */
export interface ProviderMessage {
  readonly type: string
  readonly data: { readonly subscription: string; readonly result: unknown }
}

/** Listeners' arguments by event. */
export interface ProviderEvents {
  /** After the first request. */
  connect: [info: { readonly chainId: string }]
  /** When it was changed (anvil_setChainId), or a revert changed it back. */
  chainChanged: [chainId: string]
  /** For subscriptions. */
  message: [message: ProviderMessage]
  /** When it is closed. */
  disconnect: [reason: ProviderError]
}

/** How one listens, and stops listening. */
type Listen<Self> = <Event extends keyof ProviderEvents>(
  event: Event,
  listener: (...args: ProviderEvents[Event]) => void,
) => Self

/** An EIP-1193 provider of one chain. */
export interface Provider {
  /**
   * Answers as a client over HTTP is answered.
   * @throws ProviderError with the code and data that client is told
   */
  readonly request: <Method extends MethodName>(
    request: ProviderRequest<Method>,
  ) => Promise<MethodResult<Method>>
  readonly on: Listen<this>
  readonly once: Listen<this>
  readonly off: Listen<this>
  readonly addListener: Listen<this>
  readonly removeListener: Listen<this>
  /** Ends its subscriptions and every later request. */
  close(): void
}
