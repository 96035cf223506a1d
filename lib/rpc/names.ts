/** Gives members of results and documents the names that a network has for them (config/names.ts). */

import { PausedRoutine } from '../base/routine.ts'
import { isNeutral, memberNames, renamed } from '../config/names.ts'
import type { MemberNames, NetworkNames } from '../config/names.ts'
import { jsonSchema } from './json-schema.ts'
import type { Method } from './method.ts'
import { RawJson } from './raw-json.ts'

/** A result with the names of a network for its members. Values are data and stay unchanged. */
export function namedMembers(names: NetworkNames, result: unknown): unknown {
  if (isNeutral(names)) return result
  const known = memberNames(names)
  if (!(result instanceof RawJson)) return renamed(result, known)
  return new RawJson(JSON.stringify(renamed(result.toJSON(), known)))
}

/** The method with the names of a network, including the members of its results. */
export function namedMethod(names: NetworkNames, declared: Method): Method {
  const method = declared.named(names)
  const { example } = method
  let isNamed: boolean | undefined
  return {
    ...method,
    example: 'result' in example ? { ...example, result: namedMembers(names, example.result) } : example,
    prepare: (params) => {
      const invoke = method.prepare(params)
      return async (node, context) => {
        const result = await invoke(node, context)
        isNamed ??= hasMember(jsonSchema(method.result), memberNames(names))
        if (!isNamed) return result
        if (result instanceof PausedRoutine) return result.map((ended) => namedMembers(names, ended))
        return namedMembers(names, result)
      }
    },
  }
}

/** A JSON Schema with the names of a network for members, including its lists of required members. */
export function namedSchema(names: NetworkNames, schema: object): unknown {
  if (isNeutral(names)) return schema
  const known = memberNames(names)
  return renamed(schema, known, (text) => known.get(text) ?? text)
}

function hasMember(schema: unknown, names: MemberNames): boolean {
  if (typeof schema !== 'object' || schema === null) return false
  return Object.entries(schema).some(([name, inner]) => names.has(name) || hasMember(inner, names))
}
