/** Medians, ranges and ratios of the rounds. */

/** The middle of repeated measurements, with the smallest and the largest. */
export interface Spread {
  readonly median: number
  readonly min: number
  readonly max: number
}

/** The median, which a few disturbed measurements do not change; the mean of the middle two of an even number. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? NaN) + upper) / 2
}

/** Median and range; undefined where nothing was measured. */
export function spreadOf(values: readonly (number | undefined)[]): Spread | undefined {
  const measured = values.filter((value) => value !== undefined)
  if (measured.length === 0) return undefined
  return { median: median(measured), min: Math.min(...measured), max: Math.max(...measured) }
}

/** How many times as much the first took as the second, round by round, so that noise of a round hits both. */
export function ratiosOf(
  values: readonly (number | undefined)[],
  others: readonly (number | undefined)[],
): Spread | undefined {
  return spreadOf(
    values.map((value, round) => {
      const other = others[round]
      return value === undefined || other === undefined || other === 0 ? undefined : value / other
    }),
  )
}

/** Three significant digits, and no more digits than a reader needs. */
export function rounded(value: number): string {
  if (value >= 100) return value.toFixed(0)
  if (value >= 10) return value.toFixed(1)
  return value >= 1 ? value.toFixed(2) : value.toPrecision(2)
}
