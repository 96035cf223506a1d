/** Schemas of params and results as JSON Schema. */

import * as z from 'zod'

/** JSON Schema of a value that a client writes or reads, as far as JSON Schema can express it. */
export function jsonSchema(schema: z.ZodType): object {
  const described: Record<string, unknown> = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  delete described['$schema']
  return described
}
