/** Finds the known word closest to a mistyped one. */

/** Number of letters to insert, remove or replace to turn one word into the other (Levenshtein). */
function distance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (const [line, letter] of Array.from(left).entries()) {
    const next = [line + 1]
    for (const [column, other] of Array.from(right).entries()) {
      const replaced = (row[column] ?? 0) + (letter === other ? 0 : 1)
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}

/** The end of the error for an unknown word: the closest known one as `write` writes it; empty if no word is close. */
export function didYouMean(word: string, known: readonly string[], write = (meant: string) => meant): string {
  const meant = nearest(word, known)
  return meant === undefined ? '' : `; did you mean ${write(meant)}?`
}

/** The known word closest to the given one; undefined if no word is close. */
function nearest(word: string, known: readonly string[]): string | undefined {
  const ranked = known.map((candidate) => ({ candidate, steps: distance(word, candidate) }))
  const best = ranked.sort((left, right) => left.steps - right.steps)[0]
  const tolerated = word.length < 4 ? 1 : Math.max(2, Math.floor(word.length / 3))
  return best !== undefined && best.steps <= tolerated ? best.candidate : undefined
}
