/** Chooses between implementations: the first that loads and passes its check. */

import { InvariantError } from '../base/invariant.ts'

/** An implementation that may be missing or wrong on this platform. */
export interface Candidate<T> {
  readonly name: string
  /** Throws if the implementation cannot run here. */
  readonly load: () => T
}

/** An implementation that does not run here, and the reason. */
export interface SkippedCandidate {
  readonly name: string
  readonly reason: string
}

/** The chosen implementation, and the preferred ones that do not run. */
export interface Choice<T> {
  readonly name: string
  readonly implementation: T
  readonly skipped: readonly SkippedCandidate[]
}

/**
 * Chooses the first candidate that loads and passes the check; later ones are not loaded. The check throws if a candidate
 * computes a wrong result. @throws InvariantError if no candidate passes.
 */
export function chooseFirst<T>(
  candidates: readonly Candidate<T>[],
  check: (implementation: T) => void,
): Choice<T> {
  const skipped: SkippedCandidate[] = []
  for (const { name, load } of candidates) {
    try {
      const implementation = load()
      check(implementation)
      return { name, implementation, skipped }
    } catch (error) {
      skipped.push({ name, reason: firstLine(error) })
    }
  }
  const reasons = skipped.map(({ name, reason }) => `${name}: ${reason}`)
  throw new InvariantError(`no implementation runs (${reasons.join('; ')})`)
}

// Loaders list search paths in the lines after the first.
function firstLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return message.split('\n')[0] ?? message
}
