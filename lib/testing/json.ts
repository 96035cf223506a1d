/** Values of fixtures: what can be kept in a file. */

import * as z from 'zod'

/** A value that survives being written as JSON. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json }

/** What a builder answered, as everybody else reads it. JSON has no word for nothing but null. @throws Error naming the fixture */
export function throughJson(name: string, value: unknown): Json {
  try {
    return z.json().parse(JSON.parse(JSON.stringify(value ?? null)))
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`what the fixture ${name} answers is no JSON: ${reason}`, { cause })
  }
}
