/** Converts values of fixtures to JSON. */

import * as z from 'zod'

/** A value that JSON can hold. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json }

/** The result of a builder as it is read from a file; undefined becomes null. @throws Error naming the fixture */
export function throughJson(name: string, value: unknown): Json {
  try {
    return z.json().parse(JSON.parse(JSON.stringify(value ?? null)))
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`the result of fixture ${name} is not JSON: ${reason}`, { cause })
  }
}
