/** Schemas of coverage, for documents, tests and files of earlier runs. */

import * as z from 'zod'
import { count, list, text } from '../../schema/results.ts'

/** Lines are counted from 1, columns from 0. */
const position = z.strictObject({ line: count, column: count })

const range = z.strictObject({ start: position, end: position })

/** The coverage of a file in the format of Istanbul (istanbul-lib-coverage, FileCoverage). Counts and places have the same keys. */
export const istanbulFile = z.strictObject({
  path: text,
  statementMap: z.record(text, range),
  fnMap: z.record(text, z.strictObject({ name: text, decl: range, loc: range, line: count })),
  /** Branches with the places of their ways. */
  branchMap: z.record(
    text,
    z.strictObject({ type: text, line: count, loc: range, locations: z.array(range) }),
  ),
  s: z.record(text, count),
  f: z.record(text, count),
  b: z.record(text, z.array(count)),
})

export type IstanbulFile = z.output<typeof istanbulFile>

export type IstanbulCoverage = Readonly<Record<string, IstanbulFile>>

/** Number of items, and number of executed ones. */
const share = z.strictObject({ total: count, covered: count })

const summary = z.strictObject({
  path: text,
  lines: share,
  statements: share,
  functions: share,
  branches: share,
})

export type FileSummary = z.output<typeof summary>

export const coverageObject = z.strictObject({
  /** How much of each file was executed. */
  summary: list(summary),
  /** Codes that were executed and that no artifact describes. */
  unknownCodes: count,
  istanbul: z.record(text, istanbulFile),
  lcov: text.optional(),
})
