/** Permissions of the page, which the node sets. */

/** Whether the page has no controls (--explorer-read-only). It restricts the page only, and no client of the node. */
export const isReadOnly =
  document.querySelector('meta[name="explorer-mode"]')?.getAttribute('content') === 'read-only'
