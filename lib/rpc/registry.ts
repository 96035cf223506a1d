/** Finds methods by name, and gives them and their results a network's names (config/names.ts). */

import { invariant } from '../base/invariant.ts'
import { NEUTRAL_NAMES, capitalized, isNeutral, memberNames, renamed } from '../config/names.ts'
import type { NetworkNames, MemberNames } from '../config/names.ts'
import type { Method } from '../kernel/method.ts'
import type { Node } from '../node/node.ts'
import { converted } from '../base/routine.ts'
import { RawJson } from '../kernel/raw-json.ts'
import * as z from 'zod'

export class Registry {
  readonly methods: readonly Method<Node>[]
  /** Modules of the methods, aliases not counted. */
  readonly modules: readonly string[]
  /** Names that the network uses in methods, OpenRPC and error texts. */
  readonly networkNames: NetworkNames
  readonly #byName = new Map<string, Method<Node>>()

  constructor(methods: readonly Method<Node>[], networkNames: NetworkNames = NEUTRAL_NAMES) {
    this.networkNames = networkNames
    this.methods = [...methods].sort((left, right) => (left.name < right.name ? -1 : 1))
    this.modules = [...new Set(this.methods.map(({ name }) => moduleOf(name)))].sort()
    for (const method of methods) {
      for (const name of [method.name, ...method.aliases]) {
        invariant(!this.#byName.has(name), `method ${name} is declared twice`)
        this.#byName.set(name, method)
      }
    }
  }

  /** The same methods under a network's names. Its clients then cannot call them by the neutral ones. */
  named(names: NetworkNames): Registry {
    if (isNeutral(names)) return this
    return new Registry(
      this.methods.map((method) => namedMethod(names, method)),
      names,
    )
  }

  find(name: string): Method<Node> | undefined {
    return this.#byName.get(name)
  }

  /** The own name of the method that a network with other names calls by this name (config/names.ts). */
  methodNamed(name: string): string | undefined {
    const { module, aux } = this.networkNames
    const moduleLength = name.indexOf('_')
    const own = this.modules.includes(name.slice(0, moduleLength))
      ? name.replace(/(?<=^mnr_submit)[A-Z][a-z0-9]*(?=Block)/, capitalized(aux))
      : `${module}${name.slice(moduleLength)}`
    return own === name ? undefined : this.find(own)?.name
  }

  get names(): readonly string[] {
    return [...this.#byName.keys()].sort()
  }
}

/** Module of a method: the part of its name before the first underscore. */
export const moduleOf = (name: string): string => name.slice(0, name.indexOf('_'))

export function namedMembers(names: NetworkNames, result: unknown): unknown {
  if (isNeutral(names)) return result
  const known = memberNames(names)
  if (!(result instanceof RawJson)) return renamed(result, known)
  return new RawJson(JSON.stringify(renamed(result.toJSON(), known)))
}

/** The method with a network's names, including members of its results. */
function namedMethod(names: NetworkNames, declared: Method<Node>): Method<Node> {
  const method = declared.named(names)
  const { example } = method
  let isNamed: boolean | undefined
  return {
    ...method,
    example: 'result' in example ? { ...example, result: namedMembers(names, example.result) } : example,
    prepare: (params) => {
      const invoke = method.prepare(params)
      return (node, context) =>
        converted(invoke(node, context), (result) => {
          isNamed ??= hasMember(jsonSchema(method.result), memberNames(names))
          return isNamed ? namedMembers(names, result) : result
        })
    },
  }
}

/** A JSON Schema with a network's member names, including in lists of required members. */
export function namedSchema(names: NetworkNames, schema: object): unknown {
  if (isNeutral(names)) return schema
  const known = memberNames(names)
  return renamed(schema, known, (text) => known.get(text) ?? text)
}

function hasMember(schema: unknown, names: MemberNames): boolean {
  if (typeof schema !== 'object' || schema === null) return false
  return Object.entries(schema).some(([name, inner]) => names.has(name) || hasMember(inner, names))
}

/** JSON Schema of a value that a client writes or reads, as far as JSON Schema can express it. */
export function jsonSchema(schema: z.ZodType): object {
  const described: Record<string, unknown> = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  delete described['$schema']
  return described
}
