/** Coverage in the formats of Istanbul and of LCOV (geninfo, "FILES"). */

import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod'
import type { SolidityFunction } from '../../insight/artifacts/solidity-ast.ts'
import type { SourceRange } from '../../insight/artifacts/source-map.ts'
import type { SourceLines } from '../../insight/artifacts/source-unit.ts'
import { istanbulFile } from './results.ts'
import type { IstanbulCoverage, IstanbulFile, FileSummary } from './results.ts'
import type { SolidityBranch, SourceItems } from './source-items.ts'
import coverageLibrary from 'istanbul-lib-coverage'

/** Reads coverage that this program wrote. @throws ZodError if the value is something else */
export const readIstanbul = (value: unknown): IstanbulCoverage =>
  z.record(z.string(), istanbulFile.strip()).parse(value)

/** The coverage of a source of which nothing was executed. */
export function unexecutedFile(path: string, lines: SourceLines, items: SourceItems): IstanbulFile {
  const { statements, functions, branches } = items
  return {
    path,
    statementMap: byIndex(statements.map((range) => placeOf(lines, range))),
    fnMap: byIndex(functions.map((one) => functionOf(lines, one))),
    branchMap: byIndex(branches.map((branch) => branchOf(lines, branch))),
    s: byIndex(statements.map(() => 0)),
    f: byIndex(functions.map(() => 0)),
    b: byIndex(branches.map(({ ways }) => ways.map(() => 0))),
  }
}

/** Values by their positions. */
export const byIndex = <T>(values: readonly T[]): Record<string, T> =>
  Object.fromEntries(values.map((value, index) => [String(index), value]))

type FilePlace = IstanbulFile['statementMap'][string]

const placeOf = (lines: SourceLines, { start, end }: SourceRange): FilePlace => ({
  start: positionOf(lines, start),
  end: positionOf(lines, end),
})

function positionOf(lines: SourceLines, offset: number): FilePlace['start'] {
  const { line, column } = lines.positionOf(offset)
  return { line, column: column - 1 }
}

function functionOf(
  lines: SourceLines,
  { name, contract, range, body }: SolidityFunction,
): IstanbulFile['fnMap'][string] {
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

function branchOf(
  lines: SourceLines,
  { kind, range, ways }: SolidityBranch,
): IstanbulFile['branchMap'][string] {
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

/** How often the items of a source were executed. */
export type ItemCounts = Pick<IstanbulFile, 's' | 'f' | 'b'>

/** A file with further counts of the same items. */
export const sumOf = (one: ItemCounts, other: IstanbulFile): IstanbulFile => ({
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

const { createFileCoverage } = coverageLibrary

/** The text of an `lcov.info`. */
export const lcovText = (coverage: IstanbulCoverage): string =>
  Object.values(coverage)
    .map((file) => `${recordOf(file).join('\n')}\n`)
    .join('')

function recordOf(file: IstanbulFile): readonly string[] {
  return [
    'TN:',
    `SF:${file.path}`,
    ...functionLines(file),
    ...branchLines(file),
    ...lineLines(file),
    'end_of_record',
  ]
}

function functionLines({ fnMap, f }: IstanbulFile): readonly string[] {
  const functions = Object.entries(fnMap)
  const names = functions.map(([, { name }]) => name)
  // A name belongs to one function in this format.
  const nameOf = (name: string, line: number): string =>
    names.indexOf(name) === names.lastIndexOf(name) ? name : `${name}:${line}`
  const counts = functions.map(([key]) => f[key] ?? 0)
  return [
    ...functions.map(([, { name, line }]) => `FN:${line},${nameOf(name, line)}`),
    ...functions.map(([key, { name, line }]) => `FNDA:${f[key] ?? 0},${nameOf(name, line)}`),
    ...totals('FN', counts),
  ]
}

function branchLines({ branchMap, b }: IstanbulFile): readonly string[] {
  const branches = Object.entries(branchMap).map(([key, { line }]) => ({ key, line, counts: b[key] ?? [] }))
  const lines = branches.flatMap(({ key, line, counts }) => {
    // A branch that was not reached has no counts.
    const isReached = counts.some((count) => count > 0)
    return counts.map((count, way) => `BRDA:${line},${key},${way},${isReached ? count : '-'}`)
  })
  const all = branches.flatMap(({ counts }) => counts)
  return [...lines, ...totals('BR', all)]
}

function lineLines(file: IstanbulFile): readonly string[] {
  const counts = createFileCoverage(file).getLineCoverage()
  const lines = Object.entries(counts).map(([line, count]) => `DA:${line},${count}`)
  return [...lines, ...totals('L', Object.values(counts))]
}

/** Number of items (found), and number of executed ones (hit). */
const totals = (name: string, counts: readonly number[]): readonly string[] => [
  `${name}F:${counts.length}`,
  `${name}H:${counts.filter((count) => count > 0).length}`,
]

/** The shares of every file. */
export const summaryOf = (coverage: IstanbulCoverage): readonly FileSummary[] =>
  Object.values(coverage).map((file) => {
    const { lines, statements, functions, branches } = createFileCoverage(file).toSummary()
    return {
      path: file.path,
      lines: shareOf(lines),
      statements: shareOf(statements),
      functions: shareOf(functions),
      branches: shareOf(branches),
    }
  })

const shareOf = ({ total, covered }: FileSummary['lines']): FileSummary['lines'] => ({ total, covered })
