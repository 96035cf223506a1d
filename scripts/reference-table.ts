/** Makes the tables of differences from the reference node. */

import type { Row } from './reference-differences.ts'

/** One table of these rows. */
export function differencesMarkdown(rows: readonly Row[]): string {
  const lines = rows.map(
    ({ subject, reference, here, why }) => `| ${[subject, reference, here, why].join(' | ')} |`,
  )
  return ['| subject | reference node | this node | why |', '|---|---|---|---|', ...lines].join('\n')
}
