/** Links to pages with a query after `#` and `?`: what a page shows of its subject, such as a page of a list or a filter. */

/** A link to a page with values; empty ones are left out. */
export function linkTo(path: string, values: Readonly<Record<string, string | number | undefined>>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(values))
    if (value !== undefined && value !== '') query.set(name, String(value))
  const text = query.toString()
  return text === '' ? `#${path}` : `#${path}?${text}`
}

/** Goes to a link of this page. The router would take the query for that of the document. */
export function follow(link: string): void {
  location.hash = link
}

/** A number in a URL; undefined if there is none. */
export const numberIn = (text: string | null): number | undefined =>
  text !== null && /^\d+$/.test(text) ? Number(text) : undefined
