/** Schema of gas profiles, for types, documents and tests. */

import * as z from 'zod'
import { list, text } from '../../schema/results.ts'

const gas = z.int().nonnegative()

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

export type GasProfile = z.output<typeof gasProfileObject>
