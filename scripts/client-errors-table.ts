/** Makes the table of docs/requests.md: what the errors of clients say about a revert. */

/** The answers of a client to one request, to a contract that reverts in four ways. */
export interface ClientErrors {
  readonly client: string
  readonly request: string
  readonly dialect: string
  /** Of a reason string: the member of the error that has it, or else where the text or the data is. */
  readonly reason: string
  readonly custom: string
  readonly panic: string
  /** Whether a revert without data is an error. */
  readonly empty: string
}

/** A row for the requests and dialects of a client that have the same answers. */
export function clientErrorsMarkdown(all: readonly ClientErrors[]): string {
  const rows = merged(merged(all, 'dialect'), 'request').map(
    ({ client, request, dialect, reason, custom, panic, empty }) =>
      `| ${[client, request, dialect, reason, custom, panic, empty].join(' | ')} |`,
  )
  const titles = '| client | request | dialect | reason string | custom error | panic | no data |'
  return [titles, '|---|---|---|---|---|---|---|', ...rows].join('\n')
}

/** Joins the rows that differ in one column only. */
function merged(rows: readonly ClientErrors[], column: 'dialect' | 'request'): readonly ClientErrors[] {
  const joined = new Map<string, ClientErrors>()
  for (const row of rows) {
    const key = JSON.stringify({ ...row, [column]: '' })
    const others = joined.get(key)
    joined.set(key, others === undefined ? row : { ...row, [column]: `${others[column]}, ${row[column]}` })
  }
  return [...joined.values()]
}
