/** Schemas of traces in Parity's format: their params, and their results for documents and tests. */

import * as z from 'zod'
import { transactionRequest } from './requests.ts'
import { addressText, dataText, hashText, quantityText } from './results.ts'
import { flatItem } from './trace-results.ts'
import { oneOf } from './wire.ts'

const PARTS = ['trace', 'stateDiff'] as const
const part = oneOf([...PARTS, 'vmTrace'])
  .refine((one) => one !== 'vmTrace', 'vmTrace is not supported; debug_traceCall traces single steps')
  .pipe(z.enum(PARTS))

/** Parts of a trace that a request chooses. */
export const traceParts = z.array(part, 'expected an array of trace and stateDiff')

const CALLS_EXPECTED = 'expected an array of at most 1000 calls'

/** Calls, each with the parts of its trace. */
export const callsToTrace = z
  .array(
    z.tuple([transactionRequest, traceParts], 'expected a call and an array of trace and stateDiff'),
    CALLS_EXPECTED,
  )
  .max(1000, CALLS_EXPECTED)

const changeOf = (value: z.ZodType<string, string>) =>
  z.union([
    z.literal('='),
    z.strictObject({ '+': value }),
    z.strictObject({ '-': value }),
    z.strictObject({ '*': z.strictObject({ from: value, to: value }) }),
  ])

const accountDiff = z.strictObject({
  balance: changeOf(quantityText),
  code: changeOf(dataText),
  nonce: changeOf(quantityText),
  storage: z.record(hashText, changeOf(hashText)).readonly(),
})

const parityItem = flatItem.pick({
  action: true,
  type: true,
  subtraces: true,
  traceAddress: true,
  result: true,
  error: true,
})

export const callTrace = z.strictObject({
  output: dataText,
  stateDiff: z.record(addressText, accountDiff).readonly().nullable(),
  trace: z.array(parityItem).readonly(),
  vmTrace: z.null(),
})
