/** JSON texts: results that can be longer than a text, and values of any form. */

import { NodeError } from './errors.ts'

/** Maximum number of characters of a text (v8, `String::kMaxLength`). */
const MAX_LENGTH = 2 ** 29 - 24

/** JSON text of a value. @throws NodeError 'limitExceeded' above half a billion characters, the longest text */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value)
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause
    const message = `response exceeds the limit of ${MAX_LENGTH} characters`
    throw new NodeError('limitExceeded', message, { cause })
  }
}

/** The value of a text; undefined for a text that is not JSON. */
export function jsonValue(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Whether a value is an object with members, which null and lists are not. */
export const isJsonObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
