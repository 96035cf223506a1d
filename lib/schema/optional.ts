/** Schemas of optional params. */

import * as z from 'zod'

/** An optional param; null means absent. */
export function optional<T extends z.ZodType>(schema: T) {
  return z.preprocess((value) => value ?? undefined, schema.optional())
}

/** An optional param with a default, given as on the wire; null means absent. */
export function optionalWith<T extends z.ZodType>(schema: T, wireDefault: string | boolean | number) {
  return z.preprocess((value) => value ?? wireDefault, schema)
}
