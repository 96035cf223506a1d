/** Errors that a provider throws. */

import * as z from 'zod'
import type { LoggedStack } from '../config/request-log.ts'

/** The provider was closed (EIP-1193, "Disconnected"). */
export const DISCONNECTED = 4900

/** The error object of a JSON-RPC response (JSON-RPC 2.0, 5.1). */
interface ErrorObject {
  readonly code: number
  readonly message: string
  readonly data?: string | undefined
  readonly txHash?: string | undefined
  readonly solidityStack?: LoggedStack | undefined
}

const text = z.string().optional()
const count = z.number().optional()

const stack = z.array(
  z.object({
    address: z.string(),
    contract: text,
    function: text,
    file: text,
    line: count,
    column: count,
    excerpt: text,
  }),
)

/** Schema of the error object of a response (JSON-RPC 2.0, section 5.1). */
export const errorObject: z.ZodType<ErrorObject> = z.object({
  code: z.number(),
  message: z.string(),
  data: text,
  txHash: text,
  solidityStack: stack.optional(),
})

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
