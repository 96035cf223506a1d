/** Compares releases of the client that the dialect follows (service spec, "Versioning"). */

/** Whether the release is `since` or a later one; both have the form `9.1.0`. */
export function isSince(release: string, since: string): boolean {
  const [left, right] = [numbersOf(release), numbersOf(since)]
  for (const [position, number] of right.entries()) {
    const own = left[position] ?? 0
    if (own !== number) return own > number
  }
  return true
}

function numbersOf(release: string): readonly number[] {
  return release.split('.').map(Number)
}
