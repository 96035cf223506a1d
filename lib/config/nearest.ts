/** Finds the known word closest to a mistyped one. */

import leven from 'leven'

/** The end of the error for an unknown word: the closest known word, written by `write`; empty if no word is close. */
export function didYouMean(word: string, known: readonly string[], write = (meant: string) => meant): string {
  const meant = nearest(word, known)
  return meant === undefined ? '' : `; did you mean ${write(meant)}?`
}

/** The known word with the smallest Levenshtein distance from the given one; undefined if no word is close. */
function nearest(word: string, known: readonly string[]): string | undefined {
  const ranked = known.map((candidate) => ({ candidate, steps: leven(word, candidate) }))
  const best = ranked.sort((left, right) => left.steps - right.steps)[0]
  const tolerated = word.length < 4 ? 1 : Math.max(2, Math.floor(word.length / 3))
  return best !== undefined && best.steps <= tolerated ? best.candidate : undefined
}
