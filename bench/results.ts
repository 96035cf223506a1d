/** Results of a run, as they are written into the document. */

import type { Measurement } from './session.ts'
import { ratiosOf, spreadOf } from './statistics.ts'
import type { Spread } from './statistics.ts'

/** A measurement, or why there is none. */
export type Outcome = Measurement | { readonly failed: string }

/** A node of the run. */
export interface NodeResult {
  readonly id: string
  readonly title: string
  readonly settings: string
  readonly version: string | undefined
  /** Why it was not measured. */
  readonly missing: string | undefined
}

/** Outcomes of a row by node, one per round; a round may be left out. */
export interface RowResult {
  readonly name: string
  readonly outcomes: Readonly<Record<string, readonly (Outcome | undefined)[]>>
}

/** A whole run. */
export interface Results {
  readonly machine: string
  readonly nodeVersion: string
  /** Milliseconds of `node -e 0`. */
  readonly bareNodeMs: number
  readonly minutes: number
  readonly rounds: number
  readonly nodes: readonly NodeResult[]
  readonly rows: readonly RowResult[]
}

/** A kind of figure. */
export type Figure = 'cpuMs' | 'wallMs' | 'megabytes'

/** Figures of a row on a node by round; empty if any round failed, because a wrong answer has no price. */
function figuresOf(row: RowResult, node: string, figure: Figure): readonly (number | undefined)[] {
  if (failureOf(row, node) !== undefined) return []
  return Array.from(row.outcomes[node] ?? [], (outcome) =>
    outcome !== undefined && !('failed' in outcome) ? outcome[figure] : undefined,
  )
}

/** Median and range of the rounds. */
export const figureOf = (row: RowResult, node: string, figure: Figure): Spread | undefined =>
  spreadOf(figuresOf(row, node, figure))

/** How many times as much a node needs as another one, round by round. */
export const ratioOf = (
  row: RowResult,
  [node, reference]: readonly [string, string],
  figure: Figure,
): Spread | undefined => ratiosOf(figuresOf(row, node, figure), figuresOf(row, reference, figure))

/** Outcomes of the rounds that did not leave the row out. */
const measuredOf = (row: RowResult, node: string): readonly Outcome[] =>
  (row.outcomes[node] ?? []).filter((outcome) => outcome !== undefined)

/** Why a row failed on a node, with the number of rounds. */
export function failureOf(row: RowResult, node: string): string | undefined {
  const outcomes = measuredOf(row, node)
  const reasons = outcomes.flatMap((outcome) => ('failed' in outcome ? [outcome.failed] : []))
  const reason = reasons[0]?.split('\n')[0]?.slice(0, 160)
  if (reason === undefined || outcomes.length === 1) return reason
  return `${reason} (${reasons.length} of ${outcomes.length} rounds)`
}

/** What a reader has to know about a figure. */
export function noteOf(row: RowResult, node: string): string | undefined {
  const [outcome] = measuredOf(row, node)
  return outcome === undefined || 'failed' in outcome ? undefined : outcome.note
}
