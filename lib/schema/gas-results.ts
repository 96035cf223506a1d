/** Schemas of gas reports, for documents and tests, and for the command that compares reports. */

import * as z from 'zod'
import { list, text } from './results.ts'

const gas = z.int().nonnegative()
const count = z.int().nonnegative()

const figures = z.strictObject({ count, least: gas, mean: gas, median: gas, most: gas })

/** Figures of transactions; without a successful one there is only their number. */
const transactions = figures
  .partial({ least: true, mean: true, median: true, most: true })
  .extend({ failed: count })

const gasOfFunction = z.strictObject({
  function: text,
  transactions: transactions.optional(),
  calls: figures.optional(),
})

/** A gas report. */
export const gasReportObject = z.strictObject({
  version: z.literal(1),
  contracts: list(
    z.strictObject({
      contract: text,
      deployments: transactions.extend({ codeSize: count.optional() }).optional(),
      functions: list(gasOfFunction),
    }),
  ),
})

/** A profile of the gas of a transaction. */
export const gasProfileObject = z.strictObject({
  gasUsed: gas,
  intrinsicGas: gas,
  refund: gas,
  floorGas: gas,
  lines: list(
    z.strictObject({
      file: text.optional(),
      line: z.int().positive().optional(),
      excerpt: text.optional(),
      title: text.optional(),
      gas,
    }),
  ),
  folded: text,
})

/** The response to a request for a profile. */
export const gasProfileResponse = z.union([
  z.object({ result: gasProfileObject.nullable() }),
  z.object({ error: z.object({ message: z.string() }) }),
])

/** A profile, as a client reads it. */
export type GasProfileResult = z.output<typeof gasProfileObject>

/** A gas report, as a client reads it. */
export type GasReportResult = z.output<typeof gasReportObject>
