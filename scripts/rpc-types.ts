/**
 * Writes the types of the params and results of every method, and the names of the options, from the declarations, before builds
 * and the type check.
 */

import { readFileSync, writeFileSync } from 'node:fs'
import type * as z from 'zod'
import { OPTION_LIST } from '../lib/modules/options.ts'
import { jsonSchema } from '../lib/rpc/registry.ts'
import type { Method } from '../lib/kernel/method.ts'
import { allMethods } from './all-methods.ts'
import { blockRef, logRequest, transactionRequest } from '../lib/schema/requests.ts'
import { signedTransactionObject } from '../lib/schema/keys.ts'
import { accessList, blockObject, logObject, proofObject, receiptObject } from '../lib/schema/results.ts'
import { transactionObject } from '../lib/schema/results.ts'
import { simulatedBlock, simulationRequest } from '../lib/schema/simulation.ts'
import { callTraceOptions, traceOptions } from '../lib/modules/trace/params.ts'
import { flatItem, traceResult } from '../lib/modules/trace/results.ts'

/** Schemas with named types; each comes after the types it uses. */
const SHAPES: readonly (readonly [name: string, schema: z.ZodType, summary: string])[] = [
  ['AccessList', accessList, 'Access list of a transaction (EIP-2930).'],
  ['BlockReference', blockRef, 'Any reference to a block.'],
  ['CallRequest', transactionRequest, 'A transaction before it is signed, or a call.'],
  ['LogRequest', logRequest, 'A log filter.'],
  ['TraceRequest', traceOptions, 'A tracer and its settings.'],
  ['CallTraceRequest', callTraceOptions, 'A tracer and its settings for a call, with overrides.'],
  ['SimulationRequest', simulationRequest, 'Params of eth_simulateV1.'],
  ['LogObject', logObject, 'An event.'],
  ['TransactionObject', transactionObject, 'A transaction.'],
  ['SignedTransactionObject', signedTransactionObject, 'A signed transaction that was not sent.'],
  ['ReceiptObject', receiptObject, 'The receipt of a transaction.'],
  ['BlockObject', blockObject, 'A block.'],
  ['SimulatedBlock', simulatedBlock, 'A block of eth_simulateV1.'],
  ['ProofObject', proofObject, 'An account and values of its storage slots with their proofs (EIP-1186).'],
  ['TraceResult', traceResult, 'The result of a tracer.'],
  ['FlatTrace', flatItem, 'A call of a flat list.'],
]

/** The module of types, unformatted. */
function rpcTypes(): string {
  const writer = new TypeWriter()
  const shapes = SHAPES.map(
    ([name, schema, summary]) => `/** ${summary} */\nexport type ${name} = ${writer.define(name, schema)}`,
  )
  const methods = allMethods.methods.flatMap((method) => membersOf(method, writer))
  return [
    '/** Params and results of every method on the wire. `npm run build` and `npm run check` write this file. */',
    ...shapes,
    ...writer.definitions,
    '/** The params of every method, by position and by name, and its result. */',
    `export interface RpcMethods {\n${methods.join('\n')}\n}\n`,
  ].join('\n\n')
}

/** The type of an object without members. */
const NOTHING = 'Readonly<Record<string, never>>'

/** The members for a method and its aliases. */
function membersOf(
  { name, aliases, summary, params, result }: Method,
  writer: TypeWriter,
): readonly string[] {
  const typed = params.map(({ name: label, schema }) => {
    const isOptional = schema.safeParse(undefined).success
    const type = writer.text(schema)
    const isNull = isOptional && schema.safeParse(null).success
    return `${label}${isOptional ? '?' : ''}: ${isNull ? oneOf([type, 'null', 'undefined']) : type}`
  })
  const byName = typed.map((member) => `readonly ${member}`)
  return [
    `/** ${summary} */`,
    `readonly ${name}: {
      readonly params: readonly [${typed.join(', ')}]
      readonly named: ${byName.length === 0 ? NOTHING : `{ ${byName.join('; ')} }`}
      readonly result: ${writer.text(result)}
    }`,
    ...aliases.map((alias) => `readonly ${alias}: RpcMethods['${name}']`),
  ]
}

/** The members of a JSON Schema that the writer uses. */
interface Described {
  readonly $ref?: string
  readonly $defs?: Readonly<Record<string, Described>>
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Described[]
  readonly allOf?: readonly Described[]
  readonly not?: Described
  readonly properties?: Readonly<Record<string, Described>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Described
  readonly items?: boolean | Described
  readonly prefixItems?: readonly Described[]
}

/** Writes JSON Schemas as types. */
class TypeWriter {
  readonly #names = new Map<string, string>()
  readonly #definitions = new Map<string, string>()

  /** Writes a type and gives it a name. */
  define(name: string, schema: z.ZodType): string {
    const text = this.text(schema)
    this.#names.set(text, name)
    return text
  }

  /** Types that others refer to by name. */
  get definitions(): readonly string[] {
    return [...this.#definitions].map(([name, text]) => `export type ${name} = ${text}`)
  }

  text(schema: z.ZodType): string {
    const described: Described = jsonSchema(schema)
    for (const [name, definition] of Object.entries(described.$defs ?? {})) {
      this.#definitions.set(name, this.#type(definition))
    }
    return this.#type(described)
  }

  #type(schema: Described): string {
    const text = this.#unnamed(schema)
    return this.#names.get(text) ?? text
  }

  #unnamed(schema: Described): string {
    if (schema.$ref !== undefined) return schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)
    if (schema.not !== undefined) return 'never'
    if (schema.const !== undefined) return JSON.stringify(schema.const)
    if (schema.enum !== undefined) return oneOf(schema.enum.map((value) => JSON.stringify(value)))
    if (schema.anyOf !== undefined) return oneOf(schema.anyOf.flatMap((one) => this.#alternatives(one)))
    if (schema.allOf !== undefined) return schema.allOf.map((one) => this.#type(one)).join(' & ')
    if (schema.type === undefined) return 'unknown'
    return oneOf([schema.type].flat().map((type) => this.#ofType(type, schema)))
  }

  /** The members of a union inside a union. */
  #alternatives(schema: Described): readonly string[] {
    const { anyOf, type } = schema
    if (anyOf !== undefined && !this.#names.has(this.#unnamed(schema)))
      return anyOf.flatMap((one) => this.#alternatives(one))
    return Array.isArray(type) ? type.map((one: string) => this.#ofType(one, schema)) : [this.#type(schema)]
  }

  #ofType(type: string, schema: Described): string {
    if (type === 'integer') return 'number'
    if (type === 'array') return this.#list(schema)
    return type === 'object' ? this.#object(schema) : type
  }

  #list({ prefixItems, items = {} }: Described): string {
    if (prefixItems !== undefined)
      return `readonly [${prefixItems.map((item) => this.#type(item)).join(', ')}]`
    return `readonly (${this.#type(typeof items === 'boolean' ? {} : items)})[]`
  }

  #object({ properties = {}, required = [], additionalProperties }: Described): string {
    const members = Object.entries(properties).map(([name, member]) => {
      const type = this.#type(member)
      const key = /^\w+$/.test(name) ? name : `'${name}'`
      return `readonly ${key}${required.includes(name) ? `: ${type}` : `?: ${oneOf([type, 'undefined'])}`}`
    })
    const isOpen = typeof additionalProperties === 'object'
    const others = isOpen ? [`readonly [name: string]: ${this.#type(additionalProperties)}`] : []
    return `{ ${[...members, ...others].join('; ')} }`
  }
}

/** A union without duplicates. */
function oneOf(types: readonly string[]): string {
  return types.includes('unknown') ? 'unknown' : [...new Set(types)].join(' | ')
}

/** The module of names, which a plugin loads without the options themselves. */
const optionNames =
  (): string => `/** Names of the options. \`npm run build\` and \`npm run check\` write this file. */

/** Names of the options. */
export const OPTION_NAMES: readonly string[] = ${JSON.stringify(OPTION_LIST.map(({ name }) => name))}
`

function current(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

const FILES = { 'lib/embed/rpc-types.ts': rpcTypes(), 'lib/config/option-names.ts': optionNames() }
for (const [path, text] of Object.entries(FILES)) if (current(path) !== text) writeFileSync(path, text)
