/** Replays sessions in both modes and fails for a difference that no row of the table explains. */

import type { OptionsInput } from '../../../../lib/modules/options.ts'
import { ROWS } from '../../../../scripts/reference-differences.ts'
import type { Row } from '../../../../scripts/reference-differences.ts'
import type { Recording } from './recording.ts'
import { replay } from './replay.ts'
import { describeDifference, explain } from './table.ts'

/** The two modes of a node: its options, and the rows of the table that hold. */
export const MODES: readonly { name: string; options: OptionsInput; rows: readonly Row[] }[] = [
  {
    name: 'by default',
    options: {},
    rows: ROWS.filter(({ isHiddenByDefault }) => isHiddenByDefault !== true),
  },
  {
    name: 'with --faithful',
    options: { faithful: true },
    rows: ROWS.filter(({ isGoneWithFaithful }) => !isGoneWithFaithful),
  },
]

/** Differences that a failing test prints at most. */
const SHOWN = 20

/** Replays a session, and returns the differences that no row explains as text, and the rows that explain one. */
export async function replayed(
  recording: Recording,
  { options, rows }: (typeof MODES)[number],
): Promise<{ readonly unexplained: string; readonly used: ReadonlySet<Row> }> {
  const { unexplained, used } = explain(await replay(recording, options), rows)
  const shown = unexplained.slice(0, SHOWN).map(describeDifference)
  const more = unexplained.length > SHOWN ? [`and ${unexplained.length - SHOWN} more`] : []
  return { unexplained: [...shown, ...more].join('\n\n'), used }
}
