/** Coverage in the format of LCOV (geninfo, "FILES"). */

import type { IstanbulCoverage, IstanbulFile } from './istanbul.ts'

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
  return [
    ...lines,
    ...totals(
      'BR',
      branches.flatMap(({ counts }) => counts),
    ),
  ]
}

function lineLines(file: IstanbulFile): readonly string[] {
  const lines = lineCounts(file)
  return [
    ...lines.map(([line, count]) => `DA:${line},${count}`),
    ...totals(
      'L',
      lines.map(([, count]) => count),
    ),
  ]
}

/** Counts by line, in order: a line has the largest count of its statements (istanbul-lib-coverage). */
function lineCounts({
  statementMap,
  s,
}: Pick<IstanbulFile, 'statementMap' | 's'>): readonly (readonly [number, number])[] {
  const lines = new Map<number, number>()
  for (const [key, { start }] of Object.entries(statementMap))
    lines.set(start.line, Math.max(lines.get(start.line) ?? 0, s[key] ?? 0))
  return [...lines].toSorted(([one], [other]) => one - other)
}

/** How many there are (found) and how many of them were executed (hit). */
const totals = (name: string, counts: readonly number[]): readonly string[] => [
  `${name}F:${counts.length}`,
  `${name}H:${counts.filter((count) => count > 0).length}`,
]

/** How many there are, and how many of them were executed. */
interface CoveredShare {
  readonly total: number
  readonly covered: number
}

/** The shares of a file. */
export interface FileSummary {
  readonly path: string
  readonly lines: CoveredShare
  readonly statements: CoveredShare
  readonly functions: CoveredShare
  readonly branches: CoveredShare
}

/** The shares of every file. */
export const summaryOf = (coverage: IstanbulCoverage): readonly FileSummary[] =>
  Object.values(coverage).map((file: IstanbulFile) => ({
    path: file.path,
    lines: shareOf(lineCounts(file).map(([, count]) => count)),
    statements: shareOf(Object.values(file.s)),
    functions: shareOf(Object.values(file.f)),
    branches: shareOf(Object.values(file.b).flat()),
  }))

const shareOf = (counts: readonly number[]): CoveredShare => ({
  total: counts.length,
  covered: counts.filter((count) => count > 0).length,
})
