/** Compiles the schemas of params to generators of values that they take. */

import type * as z from 'zod'
import type { Method } from '../lib/kernel/method.ts'
import { ANYTHING, LEAVES } from './leaves.ts'
import type { Make } from './leaves.ts'

/** The members of a schema's definition that are read here. */
interface Definition {
  readonly type: string
  readonly in?: z.ZodType
  readonly out?: z.ZodType
  readonly innerType?: z.ZodType
  readonly shape?: Readonly<Record<string, z.ZodType>>
  readonly element?: z.ZodType
  readonly options?: readonly z.ZodType[]
  readonly items?: readonly z.ZodType[]
  readonly left?: z.ZodType
  readonly right?: z.ZodType
  readonly valueType?: z.ZodType
  readonly entries?: Readonly<Record<string, unknown>>
  readonly values?: readonly unknown[]
}

const known = new Map<z.ZodType, Make>()

/** A generator of values that a schema mostly takes. */
export function formOf(schema: z.ZodType): Make {
  const found = known.get(schema)
  if (found !== undefined) return found
  const make = compile(schema)
  known.set(schema, make)
  return make
}

/** Generators of the params of a method, by position. */
export const paramForms = ({ params }: Method): readonly Make[] => params.map(({ schema }) => formOf(schema))

/** The error for a value that no schema of a leaf takes; empty if there is none. */
function expectation(schema: z.ZodType): string {
  try {
    return schema.safeParse(1.5).error?.issues[0]?.message ?? ''
  } catch {
    // A transformation that follows a refusal of its input may get that input.
    return ''
  }
}

/** Types whose parts say more than their error. */
const WHOLE = new Set(['pipe', 'string', 'number', 'boolean', 'custom', 'unknown', 'union', 'transform'])

function compile(schema: z.ZodType): Make {
  const definition = schema.def as unknown as Definition
  if (definition.type === 'array' || WHOLE.has(definition.type)) {
    const text = expectation(schema)
    const leaf = LEAVES.find(([pattern]) => pattern.test(text))?.[1]
    const hasParts =
      (definition.type === 'union' && text.includes(' or ') && !text.includes('65 bytes')) ||
      (definition.type === 'array' && !/blobs|commitments|proofs|ABI/.test(text))
    if (leaf !== undefined && !hasParts && !isOptional(schema)) return leaf
  }
  return compileParts(definition)
}

const isOptional = (schema: z.ZodType): boolean => {
  const { type, out } = schema.def as unknown as Definition
  return type === 'pipe' && out !== undefined && ['optional', 'nullable'].includes(out.def.type)
}

function compileParts(definition: Definition): Make {
  const { innerType, shape, element, options, items, valueType, entries, values } = definition
  switch (definition.type) {
    case 'optional':
    case 'nullable': {
      const inner = formOf(innerType!)
      return (choices) => (choices.once(3) ? undefined : inner(choices))
    }
    case 'object':
      return members(shape!)
    case 'array': {
      const item = formOf(element!)
      return (choices) => choices.list(4, () => item(choices))
    }
    case 'tuple': {
      const each = items!.map(formOf)
      return (choices) => each.map((make) => make(choices))
    }
    case 'union': {
      const each = options!.map(formOf)
      return (choices) => choices.any(each)(choices)
    }
    case 'record':
      return record(formOf(valueType!))
    case 'enum':
      return (choices) => choices.any(Object.values(entries!))
    case 'literal':
      return (choices) => choices.any(values!)
    case 'null':
    case 'undefined':
      return () => undefined
    default:
      return compileWrapped(definition)
  }
}

function compileWrapped({ type, in: input, out, innerType, left, right }: Definition): Make {
  if (innerType !== undefined) return formOf(innerType)
  if (left !== undefined && right !== undefined) {
    const [one, other] = [formOf(left), formOf(right)]
    return (choices) => ({ ...(one(choices) as object), ...(other(choices) as object) })
  }
  if (type !== 'pipe' || input === undefined || out === undefined) return ANYTHING
  // A check before a record, or a conversion after it: the other side has the parts.
  return formOf(
    ['transform', 'custom', 'unknown'].includes(input.def.type) && out.def.type !== 'transform' ? out : input,
  )
}

/** Members are mostly absent, because many exclude each other. */
function members(shape: Readonly<Record<string, z.ZodType>>): Make {
  const rows = Object.entries(shape).map(
    ([name, schema]) => [name, formOf(schema), isRequired(schema)] as const,
  )
  return (choices) => {
    const chosen = rows.filter(([, , required]) => required || choices.once(4))
    return Object.fromEntries(chosen.map(([name, make]) => [name, make(choices)]))
  }
}

function isRequired(schema: z.ZodType): boolean {
  try {
    return !schema.safeParse(undefined).success
  } catch {
    return true
  }
}

/** The keys of maps are addresses, slots or numbers of blocks: the wrong ones are refused. */
function record(value: Make): Make {
  return (choices) => {
    const { addresses, hashes } = choices.known
    const keys = choices.list(3, () =>
      choices.any<string>([choices.any(addresses), choices.any(addresses), choices.any(hashes), '1']),
    )
    return Object.fromEntries(keys.map((key) => [key, value(choices)]))
  }
}
