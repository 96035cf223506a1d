/** Schemas of gas reports, for documents and tests, and for the command that compares reports. */

import * as z from 'zod'
import { text } from './results.ts'

const gas = z.int().nonnegative()
const count = z.int().nonnegative()

const figures = { count, least: gas, mean: gas, median: gas, most: gas }

/** Figures of transactions; without a successful one there is only their number. */
const transactions = z.strictObject({
  count,
  failed: count,
  least: gas.optional(),
  mean: gas.optional(),
  median: gas.optional(),
  most: gas.optional(),
})

/** A gas report. */
export const gasReportObject = z.strictObject({
  version: z.literal(1),
  contracts: z
    .array(
      z.strictObject({
        contract: text,
        deployments: transactions.extend({ codeSize: count.optional() }).optional(),
        functions: z
          .array(
            z.strictObject({
              function: text,
              transactions: transactions.optional(),
              calls: z.strictObject(figures).optional(),
            }),
          )
          .readonly(),
      }),
    )
    .readonly(),
})

/** A profile of the gas of a transaction. */
export const gasProfileObject = z.strictObject({
  gasUsed: gas,
  intrinsicGas: gas,
  refund: gas,
  floorGas: gas,
  lines: z
    .array(
      z.strictObject({
        file: text.optional(),
        line: z.int().positive().optional(),
        excerpt: text.optional(),
        title: text.optional(),
        gas,
      }),
    )
    .readonly(),
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
