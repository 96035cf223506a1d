/** Schemas of the instructions of transactions, of sources and of error objects. For documents, tests and types. */

import * as z from 'zod'
import { addressText, count, dataText, hashText, list, quantityText, text } from './results.ts'
import { solidityStack } from './explanation-results.ts'

/** The place of an instruction in a source: bytes of its UTF-8 text. */
const place = z.strictObject({
  /** Id of the source in the list of sources. */
  id: text,
  path: text,
  start: count,
  end: count,
  /** From 1; absent if the text is not known. */
  line: z.int().positive().optional(),
})

/** A storage access of an instruction: the slot, the value before, and the written value. */
const touchedSlot = z.strictObject({ slot: hashText, value: hashText, written: hashText.optional() })

const tracedStep = z.strictObject({
  pc: count,
  op: text,
  /** 0 in the outermost frame. */
  depth: count,
  gas: count,
  gasCost: count,
  /** The account that executes. */
  address: addressText,
  /** The upper 64 words, bottom first. */
  stack: list(quantityText),
  stackSize: count,
  /** The first 4,096 bytes; absent if they are the same as before the instruction before. */
  memory: dataText.optional(),
  memorySize: count,
  storage: touchedSlot.optional(),
  /** The variables in the slot that SLOAD, SSTORE, TLOAD or TSTORE names, such as `balances[0x...]`. */
  variable: text.optional(),
  /** Absent for code that the compiler added, and for unknown contracts. */
  source: place.optional(),
  /** Text of the exception that ended the frame here. */
  error: text.optional(),
})

/** An instruction at the moment before it runs. */
export type TracedStep = z.output<typeof tracedStep>

export const tracedStepsObject = z.strictObject({
  /** Number of all instructions. */
  total: count,
  from: count,
  /** Slots that were read or written before, also by frames that failed, with the newest values; at most a thousand. */
  touched: list(z.strictObject({ address: addressText, slot: hashText, value: hashText })),
  steps: list(tracedStep),
})

export type TracedSteps = z.output<typeof tracedStepsObject>

/** The beginning of a text. */
const shortText = z.strictObject({
  text,
  /** Characters of the whole text. */
  length: z.int(),
})

/** A request as the node keeps it: texts of bounded length, without secrets. */
export const keptRequest = z.strictObject({
  /** From 1, in the order in which requests ended. */
  number: z.int(),
  /** When it ended (ISO 8601). */
  time: text,
  method: text,
  /** Id of the world that was called; null for the default chain. */
  world: text.nullable(),
  durationMs: z.number(),
  params: shortText,
  /** JSON, or its beginning. Absent for an error, for a result that was sent in pieces, and for one that is not kept. */
  result: shortText.optional(),
  /** `failure` is the id of the execution in dev_failures. */
  error: z.strictObject({ code: z.int(), message: text, failure: z.int().optional() }).optional(),
})

const source = z.strictObject({
  /** Differs between texts with the same path; the same in every answer. */
  id: text,
  /** Path as the compiler names it. */
  path: text,
  /** Absent if the text is not known. */
  content: text.optional(),
})

export type ListedSource = z.output<typeof source>

export const sourcesObject = list(source)

/** An error object of a response (JSON-RPC 2.0, section 5.1), with the members that failed executions add. */
export const errorResult = z.strictObject({
  code: z.int(),
  message: z.string(),
  data: dataText.optional().meta({
    description: 'Return data of a revert, 0x for another failed execution; else what the error is about.',
  }),
  txHash: hashText.optional().meta({ description: 'Hash of the failed transaction, if it was mined.' }),
  solidityStack: solidityStack.optional().meta({
    description: 'Functions that ran when an execution failed, innermost first, if the contracts are known.',
  }),
  explain: z.string().optional().meta({ description: 'The command that explains a failed execution.' }),
  crossCheck: z.looseObject({}).optional().meta({
    description:
      'Why the block of the request was dropped, under the option crossCheck: a report as those of dev_crossChecks.',
  }),
  cause: z
    .strictObject({ code: z.int(), message: z.string(), data: dataText })
    .optional()
    .meta({ description: 'A revert as an Ethereum node returns it, in the dialect node33.' }),
})

export type WireError = Omit<z.output<typeof errorResult>, 'crossCheck'> & { readonly crossCheck?: object }
