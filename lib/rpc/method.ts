/** A JSON-RPC method as one value. Everything about it is computed from here: parsing, documents, lock mode, tests. */

import type * as z from 'zod'
import { NodeError } from '../base/errors.ts'
import type { ErrorKind } from '../base/errors.ts'
import type { Access } from '../base/lock.ts'
import type { TextStream } from '../base/text-stream.ts'
import type { Receipt } from '../chain/block.ts'
import type { Dialect } from '../config/dialect.ts'
import type { Subscriber } from '../filters/subscriptions.ts'
import type { Node } from '../node.ts'
import type { RawJson } from './raw-json.ts'
import type { SimulatedExecution } from './execution-log.ts'
import { MAX_SHOWN, shorten } from './shorten.ts'

/** A positional parameter. It may be left out when its schema accepts `undefined`. */
export interface Param<Name extends string = string, Schema extends z.ZodType = z.ZodType> {
  readonly name: Name
  readonly schema: Schema
  readonly summary: string
}

/** Declares a parameter. */
export function param<Name extends string, Schema extends z.ZodType>(
  name: Name,
  schema: Schema,
  summary: string,
): Param<Name, Schema> {
  return { name, schema, summary }
}

/** The request around a call. */
export interface RequestContext {
  readonly dialect: Dialect
  /** Modules the node answers to. */
  readonly modules: readonly string[]
  /** Tells the log which transaction the request sent, and the number of the newest block. */
  readonly noteTransaction: (receipt: Receipt, blockNumber: bigint) => void
  /** Tells the log of an execution that leaves nothing behind: of the one that counts, where there were several. */
  readonly noteRun: (run: SimulatedExecution) => void
  /** Who hears of what happens; absent where the transport cannot push. */
  readonly subscriber?: Subscriber | undefined
}

/** Arguments by name, parsed. */
export type Args<Params extends readonly Param[]> = {
  readonly [P in Params[number] as P['name']]: z.output<P['schema']>
}

/** A call and, where it is the same at every node, its result. */
export interface Example {
  /** Calls that come before, where a node nobody has used has nothing to answer with. */
  readonly after?: readonly { readonly method: string; readonly params: readonly unknown[] }[]
  readonly params: readonly unknown[]
  readonly result?: unknown
  /** Kind of the error, where no call can succeed on a node nobody has used. */
  readonly refusal?: ErrorKind
}

/** What a method answers: the result, the JSON of it, or that as a stream, which is made after the lock is left. */
export type Answer<Result extends z.ZodType> = z.input<Result> | RawJson | TextStream

/** What is written down of a method. */
export interface Declaration<Params extends readonly Param[], Result extends z.ZodType> {
  /** The whole name, module included. */
  readonly name: string
  /** Other names with the same params and result. */
  readonly aliases?: readonly string[]
  readonly summary: string
  readonly params: Params
  /** Documents the result; checked in tests, never on the hot path. */
  readonly result: Result
  readonly access: Access
  /** Kinds a caller should expect beyond wrong params. */
  readonly errors?: readonly ErrorKind[]
  /** Params or result are secrets, as passphrases and keys are: the log of requests shows neither. */
  readonly isConfidential?: boolean
  /** Answered by a fresh node with a result of the documented shape, or with the named refusal. */
  readonly example: Example
  readonly run: (
    args: Args<Params>,
    node: Node,
    context: RequestContext,
  ) => Answer<Result> | Promise<Answer<Result>>
}

/** A method the registry can hold, whatever its types. */
export interface Method extends Omit<Declaration<readonly Param[], z.ZodType>, 'run' | 'aliases' | 'errors'> {
  readonly aliases: readonly string[]
  readonly errors: readonly ErrorKind[]
  /** Parses the params. @throws NodeError 'invalidParams' */
  readonly prepare: (params: unknown) => (node: Node, context: RequestContext) => unknown
}

/** Declares a method. */
export function method<const Params extends readonly Param[], Result extends z.ZodType>(
  declaration: Declaration<Params, Result>,
): Method {
  const { run, aliases = [], errors = [], ...rest } = declaration
  const isArgs = (args: object): args is Args<Params> => declaration.params.every(({ name }) => name in args)
  return {
    ...rest,
    aliases,
    errors,
    prepare: (params) => {
      const args = parseParams(declaration, params)
      // True by construction; said to the compiler, which cannot follow the loop over the tuple.
      if (!isArgs(args)) throw new NodeError('internal', `params of ${declaration.name} were not parsed`)
      return (node, context) => run(args, node, context)
    },
  }
}

type Signature = Pick<Method, 'name' | 'params'>

function parseParams(signature: Signature, params: unknown): object {
  const given = positional(signature, params)
  const { name, params: declared } = signature
  if (given.length > declared.length) {
    throw new NodeError(
      'invalidParams',
      `params[${declared.length}]: unexpected, ${name} takes ${declared.length === 0 ? 'no params' : `at most ${declared.length}`}, got ${given.length}`,
    )
  }
  const args: Record<string, unknown> = {}
  for (const [position, declaredParam] of declared.entries()) {
    args[declaredParam.name] = parseParam(declaredParam, position, given[position])
  }
  return args
}

/** Params by position; an object names them instead (JSON-RPC 2.0, section 4.2). */
function positional({ name, params: declared }: Signature, params: unknown): readonly unknown[] {
  if (params === undefined) return []
  if (Array.isArray(params)) return params
  const byName = new Map<string, unknown>(Object.entries(params ?? {}))
  const unknownName = [...byName.keys()].find((key) => !declared.some((known) => known.name === key))
  if (unknownName !== undefined) {
    throw new NodeError(
      'invalidParams',
      `params.${shorten(unknownName)}: unexpected, ${name} has no such param`,
    )
  }
  return declared.map((known) => byName.get(known.name))
}

function parseParam({ name, schema }: Param, position: number, value: unknown): unknown {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  const path = issue?.path ?? []
  const at = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${shorten(String(key))}`)).join('')
  const found = jsonText(valueAt(value, path))
  throw new NodeError(
    'invalidParams',
    `params[${position}]${at} (${name}): ${reasonIn(issue?.message ?? 'invalid')}, got ${found}`,
  )
}

/** The message of a schema without what it says of the value, which follows. */
const reasonIn = (message: string): string =>
  message.replace(/^Invalid input: expected (.*), received \w+$/, 'expected $1')

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let found = value
  for (const key of path) {
    if (typeof found !== 'object' || found === null) return found
    found = Object.getOwnPropertyDescriptor(found, key)?.value
  }
  return found
}

/** JSON of a value, cut short; what came as JSON always has one, but the value at a path may be missing. */
const jsonText = (value: unknown): string =>
  value === undefined ? 'nothing' : shorten(jsonStart(value, MAX_SHOWN + 1))

/** JSON of a value, or at least so many characters of its beginning: the rest may be long, or too deep for JSON.stringify. */
function jsonStart(value: unknown, least: number): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, least))
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const [start, end] = Array.isArray(value) ? '[]' : '{}'
  let text = `${start}`
  for (const [key, item] of Object.entries(Array.isArray(value) ? value.slice(0, least) : value)) {
    if (text.length >= least) break
    if (text !== start) text += ','
    if (start === '{') text += `${jsonStart(key, least)}:`
    text += jsonStart(item, least - text.length)
  }
  return `${text}${end}`
}
