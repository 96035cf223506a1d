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

// The package is CommonJS, so Node cannot import the functions by name.
const { createCoverageMap, createFileCoverage } = coverageLibrary

/** Reads coverage that dev-node wrote. @throws ZodError for anything else */
export const readIstanbul = (value: unknown): IstanbulCoverage =>
  z.record(z.string(), istanbulFile.strip()).parse(value)

/** The coverage of a source that was never executed. */
export function unexecutedFile(path: string, lines: SourceLines, items: SourceItems): IstanbulFile {
  const { statements, functions, branches } = items
  return {
    path,
    statementMap: byIndex(statements.map((range) => placeOf(lines, range))),
    fnMap: byIndex(functions.map((declaration) => functionOf(lines, declaration))),
    branchMap: byIndex(branches.map((branch) => branchOf(lines, branch))),
    s: byIndex(statements.map(() => 0)),
    f: byIndex(functions.map(() => 0)),
    b: byIndex(branches.map(({ ways }) => ways.map(() => 0))),
  }
}

export const byIndex = <T>(values: readonly T[]): Record<string, T> =>
  Object.fromEntries(values.map((value, index) => [String(index), value]))

type FilePlace = IstanbulFile['statementMap'][string]

const placeOf = (lines: SourceLines, { start, end }: SourceRange): FilePlace => ({
  start: positionOf(lines, start),
  end: positionOf(lines, end),
})

function positionOf(lines: SourceLines, offset: number): FilePlace['start'] {
  const { line, column } = lines.positionOf(offset)
  // Istanbul counts columns from zero.
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

/** Istanbul's names of branches. It has none for `try` and `require`, so they get similar ones. */
const BRANCH_TYPES: Readonly<Record<SolidityBranch['kind'], string>> = {
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
  return { type: BRANCH_TYPES[kind], line: loc.start.line, loc, locations }
}

/** Merges the coverage of two runs. If a source has changed, only the later run counts. */
export function mergedCoverage(earlier: IstanbulCoverage, later: IstanbulCoverage): IstanbulCoverage {
  const merged = Object.entries(later).map(([path, file]) => {
    const previous = earlier[path]
    return [
      path,
      previous !== undefined && isSameSource(previous, file) ? sumOf(previous, file) : file,
    ] as const
  })
  return { ...earlier, ...Object.fromEntries(merged) }
}

/** Whether two files have the same items at the same places, so that their counts can be added. */
const isSameSource = (earlier: IstanbulFile, later: IstanbulFile): boolean =>
  isDeepStrictEqual(earlier.statementMap, later.statementMap) &&
  isDeepStrictEqual(earlier.fnMap, later.fnMap) &&
  isDeepStrictEqual(earlier.branchMap, later.branchMap)

export type ItemCounts = Pick<IstanbulFile, 's' | 'f' | 'b'>

export const sumOf = (added: ItemCounts, file: IstanbulFile): IstanbulFile => ({
  ...file,
  s: sums(added.s, file.s),
  f: sums(added.f, file.f),
  b: Object.fromEntries(
    Object.entries(file.b).map(([key, ways]) => [
      key,
      ways.map((count, way) => count + (added.b[key]?.[way] ?? 0)),
    ]),
  ),
})

const sums = (added: IstanbulFile['s'], counts: IstanbulFile['s']): IstanbulFile['s'] =>
  Object.fromEntries(Object.entries(counts).map(([key, count]) => [key, count + (added[key] ?? 0)]))

/** The text of an `lcov.info`. */
export const lcovText = (coverage: IstanbulCoverage): string =>
  Object.values(coverage)
    .map((file) => `${recordOf(file).join('\n')}\n`)
    .join('')

function recordOf(file: IstanbulFile): readonly string[] {
  return [
    'TN:',
    `SF:${file.path}`,
    ...countsByFunction(file),
    ...countsByBranch(file),
    ...countsByLine(file),
    'end_of_record',
  ]
}

function countsByFunction({ fnMap, f }: IstanbulFile): readonly string[] {
  const functions = Object.entries(fnMap)
  const names = functions.map(([, { name }]) => name)
  // LCOV identifies functions by name, so a name that occurs twice gets the line.
  const nameOf = (name: string, line: number): string =>
    names.indexOf(name) === names.lastIndexOf(name) ? name : `${name}:${line}`
  const counts = functions.map(([key]) => f[key] ?? 0)
  return [
    ...functions.map(([, { name, line }]) => `FN:${line},${nameOf(name, line)}`),
    ...functions.map(([key, { name, line }]) => `FNDA:${f[key] ?? 0},${nameOf(name, line)}`),
    ...totals('FN', counts),
  ]
}

function countsByBranch({ branchMap, b }: IstanbulFile): readonly string[] {
  const branches = Object.entries(branchMap).map(([key, { line }]) => ({ key, line, counts: b[key] ?? [] }))
  const lines = branches.flatMap(({ key, line, counts }) => {
    // LCOV has `-` instead of counts for a branch that was never reached.
    const isReached = counts.some((count) => count > 0)
    return counts.map((count, way) => `BRDA:${line},${key},${way},${isReached ? count : '-'}`)
  })
  const all = branches.flatMap(({ counts }) => counts)
  return [...lines, ...totals('BR', all)]
}

function countsByLine(file: IstanbulFile): readonly string[] {
  const counts = createFileCoverage(file).getLineCoverage()
  const lines = Object.entries(counts).map(([line, count]) => `DA:${line},${count}`)
  return [...lines, ...totals('L', Object.values(counts))]
}

/** The number of items (LCOV: found) and of executed items (hit). */
const totals = (name: string, counts: readonly number[]): readonly string[] => [
  `${name}F:${counts.length}`,
  `${name}H:${counts.filter((count) => count > 0).length}`,
]

/** The total and covered number of lines, statements, functions and branches of every file. */
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

/** Covered lines in percent, in total and by file, as in Istanbul's tables. */
export function linePercentages(coverage: IstanbulCoverage): ReadonlyMap<string, number> {
  const map = createCoverageMap({ ...coverage })
  const files = map.files().map((path) => [path, map.fileCoverageFor(path).toSummary().lines.pct] as const)
  return new Map([['All files', map.getCoverageSummary().lines.pct], ...files])
}

const shareOf = ({ total, covered }: FileSummary['lines']): FileSummary['lines'] => ({ total, covered })
