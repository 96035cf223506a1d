/** Permissions of the page, which the node sets. */

const mode = document.querySelector('meta[name="explorer-mode"]')?.getAttribute('content')

/** Whether the page has no controls (--explorer-read-only). It restricts the page only, and no client of the node. */
export const isReadOnly = mode === 'read-only'

/** Whether the page shows a file of failures, which has no chain. */
export const isReport = mode === 'report'
