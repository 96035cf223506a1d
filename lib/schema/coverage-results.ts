/** Schemas of coverage. */

import * as z from 'zod'
import { text } from './results.ts'

const count = z.int().nonnegative()

const position = z.strictObject({ line: count, column: count })

const range = z.strictObject({ start: position, end: position })

/** The coverage of a file in the format of Istanbul. */
const istanbulFile = z.strictObject({
  path: text,
  statementMap: z.record(text, range),
  fnMap: z.record(text, z.strictObject({ name: text, decl: range, loc: range, line: count })),
  branchMap: z.record(
    text,
    z.strictObject({ type: text, line: count, loc: range, locations: z.array(range).readonly() }),
  ),
  s: z.record(text, count),
  f: z.record(text, count),
  b: z.record(text, z.array(count).readonly()),
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
  summary: z.array(summary).readonly(),
  /** Codes that were executed and that no artifact describes. */
  unknownCodes: count,
  istanbul: z.record(text, istanbulFile),
  lcov: text.optional(),
})
