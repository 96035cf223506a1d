/** Coverage in the format of LCOV (geninfo, "FILES"). */

import coverageLibrary from 'istanbul-lib-coverage'
import type { FileSummary, IstanbulCoverage, IstanbulFile } from '../../schema/report-results.ts'

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
