/** Adds the coverage of several runs. */

import { isDeepStrictEqual } from 'node:util'
import type { IstanbulCoverage, IstanbulFile } from './istanbul.ts'

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
