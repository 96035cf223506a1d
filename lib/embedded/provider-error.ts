/** Errors that a provider throws. */

import * as z from 'zod'

/** The provider was closed (EIP-1193, "Disconnected"). */
export const DISCONNECTED = 4900

/** The error object of a JSON-RPC response (JSON-RPC 2.0, 5.1). */
interface ErrorObject {
  readonly code: number
  readonly message: string
  readonly data?: string | undefined
  readonly txHash?: string | undefined
}

/** Schema of the error object of a response (JSON-RPC 2.0, section 5.1). */
export const errorObject: z.ZodType<ErrorObject> = z.object({
  code: z.number(),
  message: z.string(),
  data: z.string().optional(),
  txHash: z.string().optional(),
})

/** Error that `request` rejects with (EIP-1193, ProviderRpcError). */
export class ProviderError extends Error {
  override readonly name = 'ProviderError'
  readonly code: number
  /** Revert data as hex. */
  readonly data: string | undefined
  /** Hash of the failed transaction, if it was mined. */
  readonly txHash: string | undefined

  constructor({ code, message, data, txHash }: ErrorObject) {
    super(message)
    this.code = code
    this.data = data
    this.txHash = txHash
  }
}
