/** Tables of Markdown that terminals can show as they are. */

/** The cells of a line. */
export type Row = readonly string[]

/** A table of Markdown with aligned columns: the first one to the left, numbers to the right. */
export function markdownTable(rows: readonly Row[]): string {
  const cells = rows.map((row) => row.map(escaped))
  const widths = (cells[0] ?? []).map((_, column) =>
    Math.max(3, ...cells.map((row) => (row[column] ?? '').length)),
  )
  const line = (row: Row): string =>
    `| ${row.map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join(' | ')} |`
  const rule = `| ${widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`
  const [titles = [], ...rest] = cells
  return `${[line(titles), rule, ...rest.map(line)].join('\n')}\n`
}

/** Names come from files: a control character or a bar would break the table. */
export const escaped = (text: string): string =>
  text.replace(/[\p{Cc}\u2028\u2029]/gu, ' ').replace(/[|\\`<]/g, '\\$&')
