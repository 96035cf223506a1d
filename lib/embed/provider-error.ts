/** Errors that a provider throws. */

import type { LoggedStack } from '../config/request-log.ts'

/** The provider was closed (EIP-1193, "Disconnected"). */
export const DISCONNECTED = 4900

/** The error object of a JSON-RPC response (JSON-RPC 2.0, 5.1). */
type ErrorObject = Pick<ProviderError, 'code' | 'message'> &
  Partial<Pick<ProviderError, 'data' | 'txHash' | 'solidityStack'>>

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

  constructor({ code, message, data, txHash, solidityStack }: ErrorObject) {
    super(message)
    this.code = code
    this.data = data
    this.txHash = txHash
    this.solidityStack = solidityStack
  }
}
