/** Schemas of the instructions of transactions and of their sources. */

import * as z from 'zod'
import { addressText, dataText, hashText, quantityText, text } from './results.ts'

const count = z.int().nonnegative()

/** An instruction at the moment before it runs. */
const tracedStep = z.strictObject({
  pc: count,
  op: text,
  depth: count,
  gas: count,
  gasCost: count,
  address: addressText,
  /** The upper 64 words, bottom first. */
  stack: z.array(quantityText).readonly(),
  stackSize: count,
  /** The first 4,096 bytes; absent if they are the same as before the instruction before. */
  memory: dataText.optional(),
  memorySize: count,
  storage: z.strictObject({ slot: hashText, value: hashText, written: hashText.optional() }).optional(),
  /** Where in the sources: bytes of the UTF-8 text. */
  source: z
    .strictObject({
      id: text,
      path: text,
      start: count,
      end: count,
      line: z.int().positive().optional(),
    })
    .optional(),
  error: text.optional(),
})

/** Some instructions of a transaction, and the number of all. */
export const tracedStepsObject = z.strictObject({
  total: count,
  from: count,
  /** Slots that were read or written before, with the newest values; at most a thousand. */
  touched: z.array(z.strictObject({ address: addressText, slot: hashText, value: hashText })).readonly(),
  steps: z.array(tracedStep).readonly(),
})

/** Sources of a transaction. */
export const sourcesObject = z
  .array(z.strictObject({ id: text, path: text, content: text.optional() }))
  .readonly()
