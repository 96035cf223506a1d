/** Reads the error object of a JSON-RPC response. Apart from provider-error.ts, whose declarations users load without zod. */

import * as z from 'zod'
import type { ErrorObject } from './provider-error.ts'

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
