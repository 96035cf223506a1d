/** Schemas of gas reports and profiles. The command reads reports with them; otherwise they serve types, documents and tests. */

import * as z from 'zod'
import { count, list, text } from './results.ts'

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

const lineGas = z.strictObject({
  /** Path of the source as the compiler names it. */
  file: text.optional(),
  /** From 1; absent if the text of the source is not known. */
  line: z.int().positive().optional(),
  excerpt: text.optional(),
  title: text.optional(),
  gas,
})

/** Gas of a line, or gas without a line under a title. */
export type LineGas = z.output<typeof lineGas>

/** Where the gas of a transaction went: `gasUsed` is the gas of all lines, plus `intrinsicGas`, minus `refund`, plus `floorGas`. */
export const gasProfileObject = z.strictObject({
  gasUsed: gas,
  /** Gas that the transaction costs before it is executed. */
  intrinsicGas: gas,
  /** Gas that was given back, as for cleared storage. */
  refund: gas,
  /** Gas that was added because the transaction has much data (EIP-7623). */
  floorGas: gas,
  /** The largest first. */
  lines: list(lineGas),
  /** Call paths with their own gas, as flame graphs read them. Their sum is `gasUsed` plus `refund`. */
  folded: text,
})

/** The profile of a transaction. */
export type GasProfile = z.output<typeof gasProfileObject>
