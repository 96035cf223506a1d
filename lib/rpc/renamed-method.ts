/** Renames a method and its params, results and errors to the names of a network. */

import { NodeError } from '../base/errors.ts'
import { named } from '../config/names.ts'
import type { NetworkNames } from '../config/names.ts'
import { jsonSchema } from './json-schema.ts'
import type { Example, Method } from './method.ts'
import { exchangedNames, namedDocument, namedMembers, rewritten } from './names.ts'
import { RawJson } from './raw-json.ts'

/** The method with its names replaced in name, documents, params, answers and errors. */
export function renamedMethod(method: Method, names: NetworkNames): Method {
  const wording = new Wording(method, names)
  return {
    ...method,
    name: named(names, method.name),
    aliases: method.aliases.map((alias) => named(names, alias)),
    summary: named(names, method.summary),
    params: method.params.map((param) => ({ ...param, summary: named(names, param.summary) })),
    example: renamedExample(method.example, names),
    prepare: (params) => {
      const invoke = wording.saying(params, () => method.prepare(wording.read(params)))
      return async (node, context) => {
        try {
          return wording.write(await invoke(node, context))
        } catch (error) {
          throw wording.error(error, params)
        }
      }
    },
  }
}

function renamedExample({ after, params, result, ...rest }: Example, names: NetworkNames): Example {
  const inWords = (values: readonly unknown[]) => values.map((value) => namedDocument(names, value))
  return {
    ...rest,
    params: inWords(params),
    ...(result === undefined ? {} : { result: namedDocument(names, result) }),
    ...(after === undefined
      ? {}
      : {
          after: after.map((step) => ({ method: named(names, step.method), params: inWords(step.params) })),
        }),
  }
}

/** Renames params, answers and errors of one method. Only names in its schemas are replaced: the rest is data. */
class Wording {
  readonly #method: Method
  readonly #names: NetworkNames
  #inParams: ReadonlyMap<string, string> | undefined
  #hasNamedResult: boolean | undefined

  constructor(method: Method, names: NetworkNames) {
    this.#method = method
    this.#names = names
  }

  /** Params with neutral names. */
  read(params: unknown): unknown {
    if (this.#exchanged.size === 0) return params
    const exchange = (text: string) => this.#exchanged.get(text.toLowerCase()) ?? text
    return rewritten(params, { ofMember: exchange, ofValue: exchange })
  }

  /** An answer with the names of the network. */
  write(answer: unknown): unknown {
    this.#hasNamedResult ??= exchangedNames(this.#names, jsonSchema(this.#method.result)).size > 0
    if (!this.#hasNamedResult) return answer
    if (!(answer instanceof RawJson)) return namedMembers(this.#names, answer)
    return new RawJson(JSON.stringify(namedMembers(this.#names, answer.toJSON())))
  }

  /** Runs a function that reads params; its errors get the names of the network. */
  saying<Result>(params: unknown, run: () => Result): Result {
    try {
      return run()
    } catch (error) {
      throw this.error(error, params)
    }
  }

  /** An error with the names of the network. Words that the client sent in params stay unchanged, and so does the data. */
  error(error: unknown, params: unknown): unknown {
    if (!(error instanceof NodeError)) return error
    return error.reworded((text) => text.replace(/\w+/g, (word) => this.#ofWord(word, params)))
  }

  #ofWord(word: string, params: unknown): string {
    const exchanged = this.#exchanged.get(word.toLowerCase())
    if (exchanged !== undefined) return exchanged
    const renamed = named(this.#names, word)
    return renamed === word || isSent(params, word) ? word : renamed
  }

  get #exchanged(): ReadonlyMap<string, string> {
    const { params } = this.#method
    this.#inParams ??= exchangedNames(
      this.#names,
      params.map(({ schema }) => jsonSchema(schema)),
    )
    return this.#inParams
  }
}

/** Whether the params of a client contain a word; params may be absent. */
const isSent = (params: unknown, word: string): boolean =>
  JSON.stringify([params]).match(/\w+/g)?.includes(word) === true
