/** Reads files of LCOV (geninfo, "FILES"). */

/** The counts of a file. */
export interface LcovCounts {
  readonly lines: Readonly<Record<number, number>>
  readonly functions: Readonly<Record<string, number>>
  /** A branch that was not reached has zeros. */
  readonly branches: readonly { readonly line: number; readonly ways: readonly number[] }[]
}

/** Counts by the path of the file. */
export function countsOfLcov(text: string): ReadonlyMap<string, LcovCounts> {
  const records = text.split('end_of_record').filter((record) => record.includes('SF:'))
  return new Map(records.map((record) => [/^SF:(.*)$/m.exec(record)![1]!, countsOf(record)]))
}

function countsOf(record: string): LcovCounts {
  const branches = new Map<string, { readonly line: number; readonly ways: number[] }>()
  for (const [, line, key, , count] of record.matchAll(/^BRDA:(\d+),(\d+),(\d+),(-|\d+)$/gm)) {
    const branch = branches.get(key!) ?? { line: Number(line), ways: [] }
    branches.set(key!, branch)
    branch.ways.push(count === '-' ? 0 : Number(count))
  }
  return {
    lines: Object.fromEntries(
      [...record.matchAll(/^DA:(\d+),(\d+)/gm)].map(([, line, count]) => [Number(line), Number(count)]),
    ),
    functions: Object.fromEntries(
      [...record.matchAll(/^FNDA:(\d+),(.*)$/gm)].map(([, count, name]) => [name!, Number(count)]),
    ),
    branches: [...branches.values()],
  }
}
