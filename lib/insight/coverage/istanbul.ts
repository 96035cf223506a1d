/** Coverage in the format of Istanbul (istanbul-lib-coverage, FileCoverage). */

import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod'
import type { SolidityBranch } from '../artifacts/statements.ts'
import type { SolidityFunction } from '../artifacts/solidity-ast.ts'
import type { SourceRange } from '../artifacts/source-map.ts'
import type { SourceLines } from '../artifacts/lines.ts'
import type { CoveredFile } from './covered-files.ts'

/** Lines are counted from 1, columns from 0. */
const position = z.object({ line: z.int(), column: z.int() })

const range = z.object({ start: position, end: position })

const functionEntry = z.object({ name: z.string(), decl: range, loc: range, line: z.int() })

/** A branch with the places of its ways. */
const branchEntry = z.object({
  type: z.string(),
  line: z.int(),
  loc: range,
  locations: z.array(range),
})

/** The coverage of a file. Counts and places have the same keys. */
const file = z.object({
  path: z.string(),
  statementMap: z.record(z.string(), range),
  fnMap: z.record(z.string(), functionEntry),
  branchMap: z.record(z.string(), branchEntry),
  s: z.record(z.string(), z.number()),
  f: z.record(z.string(), z.number()),
  b: z.record(z.string(), z.array(z.number())),
})

export type IstanbulFile = z.infer<typeof file>

/** Coverage by path. */
export type IstanbulCoverage = Readonly<Record<string, IstanbulFile>>

/** Reads coverage that this program wrote. @throws ZodError if the value is something else */
export const readIstanbul = (value: unknown): IstanbulCoverage => z.record(z.string(), file).parse(value)

/** The coverage of some files. */
export const istanbulCoverage = (files: readonly CoveredFile[]): IstanbulCoverage =>
  Object.fromEntries(files.map((file) => [file.path, istanbulFile(file)]))

function istanbulFile({ path, lines, items, counts }: CoveredFile): IstanbulFile {
  return {
    path,
    statementMap: byIndex(items.statements.map((range) => placeOf(lines, range))),
    fnMap: byIndex(items.functions.map((one) => functionOf(lines, one))),
    branchMap: byIndex(items.branches.map((branch) => branchOf(lines, branch))),
    s: byIndex(counts.statements),
    f: byIndex(counts.functions),
    b: byIndex(counts.branches.map((ways) => [...ways])),
  }
}

const byIndex = <T>(values: readonly T[]): Record<string, T> =>
  Object.fromEntries(values.map((value, index) => [String(index), value]))

function placeOf(lines: SourceLines, { start, end }: SourceRange): z.infer<typeof range> {
  return { start: positionOf(lines, start), end: positionOf(lines, end) }
}

function positionOf(lines: SourceLines, offset: number): z.infer<typeof position> {
  const { line, column } = lines.positionOf(offset)
  return { line, column: column - 1 }
}

function functionOf(
  lines: SourceLines,
  { name, contract, range, body }: SolidityFunction,
): z.infer<typeof functionEntry> {
  const decl = placeOf(lines, { start: range.start, end: body?.start ?? range.end })
  return {
    name: contract === undefined ? name : `${contract.name}.${name}`,
    decl,
    loc: placeOf(lines, body ?? range),
    line: decl.start.line,
  }
}

/** Names of kinds of branches in Istanbul. */
const TYPES: Readonly<Record<SolidityBranch['kind'], string>> = {
  if: 'if',
  conditional: 'cond-expr',
  try: 'switch',
  require: 'if',
}

function branchOf(lines: SourceLines, { kind, range, ways }: SolidityBranch): z.infer<typeof branchEntry> {
  const loc = placeOf(lines, range)
  const locations = ways.map((way) => (way === undefined ? loc : placeOf(lines, way)))
  return { type: TYPES[kind], line: loc.start.line, loc, locations }
}

/** The coverage of two runs together. The later one replaces files that have changed. */
export function mergedCoverage(earlier: IstanbulCoverage, later: IstanbulCoverage): IstanbulCoverage {
  const merged = Object.entries(later).map(([path, file]) => {
    const before = earlier[path]
    return [path, before !== undefined && isSameSource(before, file) ? sumOf(before, file) : file] as const
  })
  return { ...earlier, ...Object.fromEntries(merged) }
}

const isSameSource = (one: IstanbulFile, other: IstanbulFile): boolean =>
  isDeepStrictEqual(one.statementMap, other.statementMap) &&
  isDeepStrictEqual(one.fnMap, other.fnMap) &&
  isDeepStrictEqual(one.branchMap, other.branchMap)

const sumOf = (one: IstanbulFile, other: IstanbulFile): IstanbulFile => ({
  ...other,
  s: sums(one.s, other.s),
  f: sums(one.f, other.f),
  b: Object.fromEntries(
    Object.entries(other.b).map(([key, ways]) => [
      key,
      ways.map((count, way) => count + (one.b[key]?.[way] ?? 0)),
    ]),
  ),
})

const sums = (one: IstanbulFile['s'], other: IstanbulFile['s']): IstanbulFile['s'] =>
  Object.fromEntries(Object.entries(other).map(([key, count]) => [key, count + (one[key] ?? 0)]))
