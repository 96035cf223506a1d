/** JSON of results that can be longer than a text. */

import { NodeError } from './errors.ts'

/** Maximum number of characters of a text (v8, `String::kMaxLength`). */
const MAX_LENGTH = 2 ** 29 - 24

/**
 * JSON text of a value.
 * @throws NodeError 'limitExceeded' if it is longer than any text can be, half a billion characters
 */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value)
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause
    const message = `response exceeds the limit of ${MAX_LENGTH} characters`
    throw new NodeError('limitExceeded', message, { cause })
  }
}
