/** Params that may be left out. */

import * as z from 'zod'

/** A param that is absent when it is left out or null. */
export function optional<T extends z.ZodType>(schema: T) {
  return z.preprocess((value) => value ?? undefined, schema.optional())
}

/** A param with a value for when it is left out or null, as it would stand on the wire. */
export function optionalWith<T extends z.ZodType>(schema: T, wireDefault: string | boolean | number) {
  return z.preprocess((value) => value ?? wireDefault, schema)
}
