/** Schemas of params for flat traces, with the error texts of the reference (node-chain 3.1). */

import * as z from 'zod'
import type { Address } from '../base/hex.ts'
import type { BlockRef } from '../miner/block-resolver.ts'
import { simpleBlockRef } from './block-ref.ts'
import { address, index, optional, quantity64 } from './wire.ts'

/** Maximum number of items in a result, and of items to skip. */
const MAX_TRACES = 10_000

/** Characters of an invalid block that the message shows. */
const MAX_SHOWN = 80

/** A block by number, tag or hash. */
export const tracedBlock: z.ZodType<BlockRef> = z.unknown().transform((given, context) => {
  const parsed = simpleBlockRef.safeParse(given)
  if (parsed.success) return parsed.data
  const shown = typeof given === 'string' ? ` ${given.slice(0, MAX_SHOWN)}` : ''
  context.addIssue(`invalid blocknumber${shown}`)
  return z.NEVER
})

/** A filter for traces: blocks, senders, receivers, and the range of traces to return. */
export interface TraceFilter {
  readonly fromBlock?: BlockRef | undefined
  readonly toBlock?: BlockRef | undefined
  /** Senders of transactions. */
  readonly fromAddress?: readonly Address[] | undefined
  /** Receivers of transactions. */
  readonly toAddress?: readonly Address[] | undefined
  /** Number of traces to skip. */
  readonly after: number
  readonly count: number
}

const INVALID = 'Invalid trace_filter parameters'

const addresses = z.array(address, { error: 'expected an array of addresses' })

/** A JSON number, which can be negative, or a quantity. */
const integer = z.union([z.int(), quantity64.transform(Number)], { error: 'expected a number' })

const upTo = (what: string) =>
  integer
    .refine((value) => value >= 0, { error: `${what} value cannot be negative` })
    .refine((value) => value <= MAX_TRACES, {
      error: `${what} value too big. Maximum ${MAX_TRACES} traces allowed`,
    })

export const traceFilter: z.ZodType<TraceFilter> = z
  .strictObject(
    {
      fromBlock: optional(simpleBlockRef),
      toBlock: optional(simpleBlockRef),
      fromAddress: optional(addresses),
      toAddress: optional(addresses),
      after: optional(upTo('After')),
      count: optional(upTo('Count')),
    },
    { error: INVALID },
  )
  .transform(({ after = 0, count = MAX_TRACES, ...rest }) => ({ ...rest, after, count }))

const NO_POSITION = "'positions' cannot be null or empty"

/** The one position of an item in its transaction, as a list. */
export const tracePosition: z.ZodType<number> = z
  .array(index, { error: NO_POSITION })
  .min(1, { error: NO_POSITION })
  .max(1, { error: "'positions' accepts only one index" })
  .transform(([position = 0]) => position)
