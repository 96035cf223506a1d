/** Shortens a client's text in error messages. */

import { quotable, quotableMember } from './shown-url.ts'

/** Characters of a client's text that a message shows. */
const MAX_SHOWN = 80

export const shorten = (text: string): string =>
  text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN)}...`

/** Shortened JSON of a value without the secrets of URLs; `nothing` if it is undefined. */
export const shortJson = (value: unknown): string =>
  value === undefined ? 'nothing' : shorten(jsonStart(value, MAX_SHOWN + 1))

/** At least the first `length` characters of a value's JSON. The whole text may be too long, and too deep for JSON.stringify. */
function jsonStart(value: unknown, length: number): string {
  if (typeof value === 'string') return JSON.stringify(quotable(value).slice(0, length))
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const [start, end] = Array.isArray(value) ? '[]' : '{}'
  let text = `${start}`
  for (const [key, item] of Object.entries(Array.isArray(value) ? value.slice(0, length) : value)) {
    if (text.length >= length) break
    if (text !== start) text += ','
    if (start === '{') text += `${jsonStart(key, length)}:`
    text += jsonStart(quotableMember(key, item), length - text.length)
  }
  return `${text}${end}`
}
