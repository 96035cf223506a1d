/** Shows URLs in messages and logs without their secrets: credentials, path and query can be keys of a provider. */

/** The scheme, host and port of a URL; dots stand for text that is no URL. */
export function shownUrl(text: string): string {
  const beginning = /^[a-z][a-z0-9+.-]*:\/\//i.exec(text)?.[0]
  if (beginning === undefined) return '...'
  try {
    const { protocol, host } = new URL(text)
    return `${protocol}//${host}`
  } catch {
    return `${beginning}...`
  }
}

const BEGINS_AS_URL = /^\s*(https?|wss?):\/\//i

/** Names of members that hold a URL, and of those where users write a URL by mistake. */
const URL_MEMBER = /url$|^fork(ing)?$/i

/** Names of members that hold headers. */
const HEADERS_MEMBER = /headers$/i

/** A client's text as logs and errors quote it: a URL of a JSON-RPC server is shown without secrets. */
export const quotable = (text: string): string => (BEGINS_AS_URL.test(text) ? shownUrl(text.trim()) : text)

/** A param's member as logs and errors quote it. URLs may be wrong but secret, and headers may contain keys. */
export function quotableMember(name: string, value: unknown): unknown {
  if (HEADERS_MEMBER.test(name)) return '...'
  if (!URL_MEMBER.test(name)) return value
  return Array.isArray(value) ? value.map(quotableUrl) : quotableUrl(value)
}

const quotableUrl = (value: unknown): unknown => (typeof value === 'string' ? shownUrl(value.trim()) : value)

/** Levels of arrays and objects that are searched for URLs. Params of methods that take a URL have three. */
const MAX_DEPTH = 4

/** A JSON value with every text as logs quote it. It is copied only if a text changes, because every request is logged. */
export function withShownUrls(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return quotable(value)
  return isQuotedAsItIs(value, depth) ? value : copyWithShownUrls(value, depth)
}

function isQuotedAsItIs(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return !BEGINS_AS_URL.test(value)
  if (depth === MAX_DEPTH || !isArrayOrRecord(value)) return true
  for (const name in value)
    if (URL_MEMBER.test(name) || HEADERS_MEMBER.test(name) || !isQuotedAsItIs(value[name], depth + 1))
      return false
  return true
}

function copyWithShownUrls(value: unknown, depth: number): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => withShownUrls(item, depth + 1))
  if (!isArrayOrRecord(value)) return value
  const members = Object.entries(value).map(([name, member]) => [
    name,
    withShownUrls(quotableMember(name, member), depth + 1),
  ])
  return Object.fromEntries(members)
}

function isArrayOrRecord(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false
  return Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype
}
