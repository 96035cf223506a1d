/** Schema of structured data to sign: an object, or its JSON as text. */

import * as z from 'zod'
import type { TypedData, TypedMember } from '../keystore/typed-data.ts'

const EXPECTED = 'expected typed data (EIP-712) as an object or as its JSON text'

const isObject = (value: unknown): value is TypedData['message'] =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** An object whose members are checked later, according to their types. */
const members = (what: string) =>
  z.custom<TypedData['message']>(isObject, { error: `expected an object: ${what}` })

const struct = z.array(
  z.object(
    { name: z.string({ error: 'expected a name' }), type: z.string({ error: 'expected a type' }) },
    { error: 'expected a member {name, type}' },
  ),
  { error: 'expected the members of a struct as an array of {name, type}' },
)

/** Not z.record(), which omits a key `__proto__`. */
const types = members('structs by name').transform((given, context) => {
  const structs = new Map<string, readonly TypedMember[]>()
  for (const [name, value] of Object.entries(given)) {
    const parsed = struct.safeParse(value)
    if (parsed.success) {
      structs.set(name, parsed.data)
      continue
    }
    for (const { message, path } of parsed.error.issues) {
      context.addIssue({ code: 'custom', message, path: [name, ...path] })
    }
  }
  return structs
})

/** Parses text as JSON. Text that is not JSON stays text, which the schema refuses. */
function readText(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

/** Typed data. Hashing checks that values fit their types. Unknown members are ignored. */
export const typedData: z.ZodType<TypedData> = z.preprocess(
  readText,
  z.object(
    {
      types,
      primaryType: z.string({ error: 'expected the name of a struct' }),
      domain: members('the domain'),
      message: members('the message'),
    },
    { error: EXPECTED },
  ),
)
