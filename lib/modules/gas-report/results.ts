/** Schema of gas reports. The command reads reports with it; otherwise it serves types, documents and tests. */

import * as z from 'zod'
import { count, list, text } from '../../schema/results.ts'

const gas = z.int().nonnegative()

/** The mean is rounded; the median of an even count is the mean of the two in the middle, rounded. */
const figures = z.strictObject({ count, least: gas, mean: gas, median: gas, most: gas })

/** Figures of several amounts of gas. */
export type GasFigures = z.output<typeof figures>

const transactions = figures
  .partial({ least: true, mean: true, median: true, most: true })
  .extend({ failed: count })

/** Figures of the successful transactions, which are absent without any, and the number of failed ones. */
export type TransactionFigures = z.output<typeof transactions>

const contract = z.strictObject({
  /** Path and name, such as `contracts/Token.sol:Token`. */
  contract: text,
  /** `codeSize`: bytes of the code; absent if no creation left code. */
  deployments: transactions.extend({ codeSize: count.optional() }).optional(),
  functions: list(
    z.strictObject({
      /** Its signature, such as `transfer(address,uint256)`; the selector if it is unknown. */
      function: text,
      transactions: transactions.optional(),
      calls: figures.optional(),
    }),
  ),
})

/** Figures of a contract. */
export type ContractReport = z.output<typeof contract>

/** A gas report: figures by contract, in the order of their titles. `version` is that of this form. */
export const gasReportObject = z.strictObject({ version: z.literal(1), contracts: list(contract) })

export type GasReport = z.output<typeof gasReportObject>

/** The gas is absent if every transaction failed. */
const comparedFigures = transactions.pick({ count: true, mean: true, median: true })

const gasChange = z.strictObject({
  contract: text,
  /** Its signature, or `deployment`. */
  function: text,
  kind: z.enum(['deployments', 'transactions', 'calls']),
  /** Absent if the first report does not have it. */
  before: comparedFigures.optional(),
  /** Absent if the second report does not have it. */
  after: comparedFigures.optional(),
  /** Change of the mean in percent of the earlier one; absent unless both reports have a mean. */
  percent: z.number().optional(),
})

/** A function, or the deployment of a contract, whose figures differ. */
export type GasChange = z.output<typeof gasChange>

/** What `dev-node gas-diff --json` prints: the changes, and how many of them are above the threshold. */
export const gasDiffObject = z.strictObject({
  thresholdPercent: z.number().nonnegative(),
  exceeding: count,
  changes: list(gasChange),
})
