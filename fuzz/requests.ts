/** Generates JSON-RPC requests from the declarations of the methods. */

import type { Method } from '../lib/kernel/method.ts'
import { allMethods } from '../scripts/all-methods.ts'
import type { Choices } from './choices.ts'
import { paramForms } from './forms.ts'
import { changed, reshaped, withHostile } from './mutations.ts'
import { specialParams } from './special-params.ts'

/** A JSON-RPC request as text, and the JSON of the id that its answer must have; no id, no answer. */
export interface Request {
  readonly text: string
  readonly id: string | undefined
}

/** How params were made. */
export const SORTS = ['valid', 'nearly valid', 'hostile'] as const
/** How params were made. */
export type Sort = (typeof SORTS)[number]

/** The JSON of an id that no other request has. */
export function freshId(choices: Choices): string {
  const lastId = choices.nextId()
  return choices.weighted<string>([
    [6, String(lastId)],
    [1, `"id ${lastId}"`],
    [1, String(-lastId)],
  ])
}

/** The text of a request. A notification has no id. */
export function requestText(method: string, params: string | undefined, id: string | undefined): string {
  const given = params === undefined ? '' : `,"params":${params}`
  const named = id === undefined ? '' : `,"id":${id}`
  return `{"jsonrpc":"2.0","method":${JSON.stringify(method)}${given}${named}}`
}

const methods = allMethods.methods

/** A request of any method, with params of a sort. */
export function anyRequest(choices: Choices, sort: Sort = sortOf(choices)): Request {
  const method = choices.any(methods)
  const name = choices.once(10) && method.aliases.length > 0 ? choices.any(method.aliases) : method.name
  const id = choices.once(30) ? undefined : freshId(choices)
  return { text: requestText(name, paramsText(method, sort, choices), id), id }
}

const sortOf = (choices: Choices): Sort =>
  choices.weighted([
    [5, 'valid'],
    [3, 'nearly valid'],
    [2, 'hostile'],
  ])

/** The JSON text of params: by position, by name now and then, or left out. */
export function paramsText(method: Method, sort: Sort, choices: Choices): string | undefined {
  const params = validParams(method, choices)
  if (sort === 'hostile') {
    const given = choices.once(3) ? reshaped(params, choices) : changed(changed(params, choices), choices)
    return withHostile(given)
  }
  const given = sort === 'valid' ? params : changed(params, choices)
  if (Array.isArray(given) && given.length === 0 && choices.once(3)) return undefined
  if (Array.isArray(given) && choices.once(12)) return withHostile(byName(method, given))
  return withHostile(given)
}

const byName = ({ params }: Method, given: readonly unknown[]): object =>
  Object.fromEntries(params.map(({ name }, position) => [name, given[position] ?? null]))

/** Params that the method mostly takes: as in its example, of its schemas, or of a list for what schemas cannot tell. */
export function validParams(method: Method, choices: Choices): readonly unknown[] {
  const special = specialParams(method.name, choices)
  if (special !== undefined) return special
  if (choices.once(4)) return method.example.params
  return withoutEnd(paramForms(method).map((make) => make(choices)))
}

/** Params that are left out at the end; null stands for those before. */
function withoutEnd(params: readonly unknown[]): readonly unknown[] {
  const last = params.findLastIndex((value) => value !== undefined)
  return params.slice(0, last + 1).map((value) => value ?? null)
}
