/** How much of each file was executed. */

import type { IstanbulCoverage, IstanbulFile } from './istanbul.ts'
import { lineCounts } from './lcov.ts'

/** How many there are, and how many of them were executed. */
export interface CoveredShare {
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
