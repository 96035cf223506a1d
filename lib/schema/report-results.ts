/** Schemas of reports: coverage, cross-checks, and the instructions of transactions. For documents and tests. */

import * as z from 'zod'
import { addressText, dataText, hashText, list, quantityText, text } from './results.ts'

const count = z.int().nonnegative()

const position = z.strictObject({ line: count, column: count })

const range = z.strictObject({ start: position, end: position })

/** The coverage of a file in the format of Istanbul. */
const istanbulFile = z.strictObject({
  path: text,
  statementMap: z.record(text, range),
  fnMap: z.record(text, z.strictObject({ name: text, decl: range, loc: range, line: count })),
  branchMap: z.record(text, z.strictObject({ type: text, line: count, loc: range, locations: list(range) })),
  s: z.record(text, count),
  f: z.record(text, count),
  b: z.record(text, list(count)),
})

const share = z.strictObject({ total: count, covered: count })

const summary = z.strictObject({
  path: text,
  lines: share,
  statements: share,
  functions: share,
  branches: share,
})

/** Coverage as a method returns it. */
export const coverageObject = z.strictObject({
  /** How much of each file was executed. */
  summary: list(summary),
  /** Codes that were executed and that no artifact describes. */
  unknownCodes: count,
  istanbul: z.record(text, istanbulFile),
  lcov: text.optional(),
})

const account = z.strictObject({
  nonce: quantityText,
  balance: quantityText,
  code: dataText,
  /** The slots that were read or changed. */
  storage: z.record(hashText, hashText),
})

/** Members of the header that executions depend on. */
const checkedHeader = z.strictObject({
  hash: hashText,
  number: quantityText,
  parentHash: hashText,
  timestamp: quantityText,
  miner: addressText,
  gasLimit: quantityText,
  difficulty: quantityText,
  mixHash: hashText,
  baseFeePerGas: quantityText.optional(),
  excessBlobGas: quantityText.optional(),
  parentBeaconBlockRoot: hashText.optional(),
})

const difference = z.strictObject({
  /** The differing member, such as `gasUsed`, `storage` or `stateRoot`; `block` if the second execution finds the block invalid. */
  kind: text,
  transaction: hashText.optional(),
  address: addressText.optional(),
  slot: hashText.optional(),
  /** The value of the node: hex for bytes and words, decimal for numbers. */
  node: text,
  secondOpinion: text,
})

/** A difference between two executions of a block, with what is needed to repeat them. */
export const crossCheckReport = z.strictObject({
  secondOpinion: text,
  network: z.strictObject({ hardfork: text, chainId: quantityText, eips: list(z.int()) }),
  block: checkedHeader,
  blockHashes: z.record(text, hashText),
  transactions: list(z.strictObject({ hash: hashText, from: addressText, raw: dataText })),
  preState: z.record(addressText, account),
  differences: list(difference),
})

/** Findings of the cross-checks of a node. */
export const crossCheckResults = z.strictObject({
  /** Blocks and transactions that were run twice. */
  blocks: z.int(),
  transactions: z.int(),
  /** Blocks with a difference. */
  failures: z.int(),
  /** Reports of the newest of them, newest first. */
  reports: list(crossCheckReport),
})

/** Where in the sources: bytes of the UTF-8 text. */
const place = z.strictObject({
  id: text,
  path: text,
  start: count,
  end: count,
  line: z.int().positive().optional(),
})

/** An instruction at the moment before it runs. */
const tracedStep = z.strictObject({
  pc: count,
  op: text,
  depth: count,
  gas: count,
  gasCost: count,
  address: addressText,
  /** The upper 64 words, bottom first. */
  stack: list(quantityText),
  stackSize: count,
  /** The first 4,096 bytes; absent if they are the same as before the instruction before. */
  memory: dataText.optional(),
  memorySize: count,
  storage: z.strictObject({ slot: hashText, value: hashText, written: hashText.optional() }).optional(),
  source: place.optional(),
  error: text.optional(),
})

/** Some instructions of a transaction, and the number of all. */
export const tracedStepsObject = z.strictObject({
  total: count,
  from: count,
  /** Slots that were read or written before, with the newest values; at most a thousand. */
  touched: list(z.strictObject({ address: addressText, slot: hashText, value: hashText })),
  steps: list(tracedStep),
})

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
  /** JSON, or its beginning. */
  params: shortText,
  /** JSON, or its beginning. Absent for an error and for a result that was sent in pieces. */
  result: shortText.optional(),
  error: z.strictObject({ code: z.int(), message: text }).optional(),
})

/** Sources of a transaction. */
export const sourcesObject = list(z.strictObject({ id: text, path: text, content: text.optional() }))
