/** Schemas of params and results in the words of JSON Schema. */

import * as z from 'zod'

/** What a client writes or reads, as far as JSON Schema can say it. */
export function jsonSchema(schema: z.ZodType): object {
  const described: Record<string, unknown> = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  delete described['$schema']
  return described
}
