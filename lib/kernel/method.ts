/** Declares a JSON-RPC method as one value, from which its parser, documents, lock mode and tests are derived. */

import { PHRASES } from '../config/phrases.ts'
import type * as z from 'zod'
import { NodeError, invalidParams, type ErrorKind } from '../base/errors.ts'
import type { LockMode } from '../base/lock.ts'
import type { Later } from '../base/routine.ts'
import { quotableMember } from '../base/shown-url.ts'
import type { TextStream } from '../base/text-stream.ts'
import { NEUTRAL_NAMES, filled, type NetworkNames } from '../config/names.ts'
import { issueDetails } from '../schema/wire.ts'
import type { RawJson } from './raw-json.ts'
import type { RequestContext } from './request-context.ts'
import { shortJson, shorten } from '../base/shorten.ts'

/** A positional parameter. It is optional if its schema accepts `undefined`. */
export interface Param<Key extends string = string, Schema extends z.ZodType = z.ZodType> {
  /** Name of the value in the arguments of `run`. */
  readonly key: Key
  /** Name on the wire. */
  readonly name: string
  readonly schema: Schema
  readonly summary: string
  /** The schema with a network's names, if it depends on them. */
  readonly schemaNamed?: (names: NetworkNames) => Schema
  /** Error kinds that its value can cause, besides invalid params. */
  readonly errors?: readonly ErrorKind[]
}

export function param<Name extends string, Schema extends z.ZodType>(
  name: Name,
  schema: Schema,
  summary: string,
): Param<Name, Schema> {
  return { key: name, name, schema, summary }
}

/** Declares a parameter whose schema depends on the network's names. */
export function namedParam<Name extends string, Schema extends z.ZodType>(
  name: Name,
  schemaNamed: (names: NetworkNames) => Schema,
  summary: string,
): Param<Name, Schema> {
  return { ...param(name, schemaNamed(NEUTRAL_NAMES), summary), schemaNamed }
}

export type Args<Params extends readonly Param[]> = {
  readonly [P in Params[number] as P['key']]: z.output<P['schema']>
}

/** A call, and its result if every node returns the same. */
export interface Example {
  /** Calls to make first if a fresh node lacks the data for the result. */
  readonly after?: readonly { readonly method: string; readonly params: readonly unknown[] }[]
  readonly params: readonly unknown[]
  readonly result?: unknown
  /** The kind of the example's error, for a method that cannot succeed on a fresh node. */
  readonly refusal?: ErrorKind
}

/** What a method returns. A stream is finished after the lock is released. */
export type HandlerResult<Result extends z.ZodType> = z.input<Result> | RawJson | TextStream

/** Declaration of a method. Its texts may contain the placeholders of config/names.ts. */
export interface RpcMethodDeclaration<Params extends readonly Param[], Result extends z.ZodType, Scope> {
  /** The full name, with the module. */
  readonly name: string
  /** Other names with the same params and result. */
  readonly aliases?: readonly string[]
  readonly summary: string
  /** None by default. */
  readonly params?: Params
  /** Documents the result; checked in tests, never on the hot path. */
  readonly result: Result
  /** Error kinds to expect besides invalid params. */
  readonly errors?: readonly ErrorKind[]
  /** Error codes that differ from other methods' (rpc/error-codes.ts), in every dialect. */
  readonly errorCodes?: Partial<Record<ErrorKind, number>>
  /** Whether params or result are secrets, such as passphrases and keys, which the log of requests hides. */
  readonly isConfidential?: boolean
  /** On a fresh node it has a documented result, or the error in `refusal`. The default is a call without params. */
  readonly example?: Example
  /** The declared type of `scope` names the parts of the node that the method uses. */
  readonly run: (args: Args<Params>, scope: Scope, context: RequestContext) => Later<HandlerResult<Result>>
}

/** How a method uses its chain: beside other reads, alone, or alone after it has taken the locks of all chains itself. */
export type Access = LockMode | 'all'

/** A declared method, without the types of its params and result. It runs on a node that has what `Scope` names. */
export interface Method<Scope = never> extends Omit<
  RpcMethodDeclaration<readonly Param[], z.ZodType, Scope>,
  'run' | 'aliases' | 'params' | 'errors' | 'example'
> {
  readonly aliases: readonly string[]
  readonly params: readonly Param[]
  readonly access: Access
  readonly errors: readonly ErrorKind[]
  readonly example: Example
  /** Parses the params. @throws NodeError 'invalidParams' */
  readonly prepare: (params: unknown) => (scope: Scope, context: RequestContext) => unknown
  /** The same method with a network's names in its texts and params. */
  readonly named: (names: NetworkNames) => Method<Scope>
}

/** Declares a method that uses the parts of the node named by the type of `run`'s second parameter. */
const declaring =
  (access: Access) =>
  <Scope, Result extends z.ZodType, const Params extends readonly Param[] = readonly []>(
    declaration: RpcMethodDeclaration<Params, Result, Scope>,
  ): Method<Scope> =>
    methodWith(NEUTRAL_NAMES, access, declaration)

/** Declares a method that changes neither the chain nor its settings. It runs beside other readers. */
export const readMethod = declaring('read')

/** Declares a method that changes the chain or its settings. It runs alone. */
export const writeMethod = declaring('write')

/** Declares a method that changes several chains. It takes their locks. */
export const wideMethod = declaring('all')

const NO_PARAMS: Example = { params: [] }

function methodWith<const Params extends readonly Param[], Result extends z.ZodType, Scope>(
  names: NetworkNames,
  access: Access,
  declaration: RpcMethodDeclaration<Params, Result, Scope>,
): Method<Scope> {
  const { run, aliases = [], params: declared = [], errors = [], example = NO_PARAMS, ...rest } = declaration
  const isArgs = (args: object): args is Args<Params> => declared.every(({ key }) => key in args)
  const name = filled(rest.name, names)
  const params = declared.map((param) => ({
    ...param,
    schema: param.schemaNamed?.(names) ?? param.schema,
    summary: filled(param.summary, names),
  }))
  return {
    ...rest,
    name,
    params,
    aliases: aliases.map((alias) => filled(alias, names)),
    summary: filled(rest.summary, names),
    access,
    errors: [...errors, ...declared.flatMap((param) => param.errors ?? [])],
    example,
    prepare: (received) => {
      const args = parseParams({ name, params }, received)
      // True by construction, but the compiler cannot follow the loop over the tuple.
      if (!isArgs(args)) throw new NodeError('internal', `params of ${name} were not parsed`)
      return (scope, context) => run(args, scope, context)
    },
    named: (others) => methodWith(others, access, declaration),
  }
}

type MethodSignature = Pick<Method, 'name' | 'params'>

function parseParams({ name, params }: MethodSignature, received: unknown): object {
  const values = positional({ name, params }, received)
  const { length } = params
  if (values.length > length) {
    const accepted = length === 0 ? 'no params' : `at most ${length}`
    throw invalidParams(`params[${length}]: unexpected, ${name} takes ${accepted}, got ${values.length}`)
  }
  const args: Record<string, unknown> = {}
  params.forEach((param, position) => {
    args[param.key] = parseParam(param, position, values[position])
  })
  return args
}

/** Params by position, even if they were sent as an object with names (JSON-RPC 2.0, section 4.2). */
function positional({ name, params: declared }: MethodSignature, params: unknown): readonly unknown[] {
  if (params === undefined) return []
  if (Array.isArray(params)) return params
  const byName = new Map<string, unknown>(Object.entries(params ?? {}))
  const unknownName = [...byName.keys()].find((key) => !declared.some((known) => known.name === key))
  if (unknownName !== undefined) {
    throw invalidParams(`params.${shorten(unknownName)}: unexpected, ${name} has no such param`)
  }
  return declared.map((known) => byName.get(known.name))
}

function parseParam({ name, schema }: Param, position: number, value: unknown): unknown {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  const path = issue?.path ?? []
  const at = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${shorten(String(key))}`)).join('')
  const place = `params[${position}]${at} (${name}):`
  const known = issueDetails.parse((issue?.code === 'custom' && issue.params) || {})
  const received = shortJson(known.isKey === true ? path.at(-1) : valueAt(value, path))
  const message = `${place} ${reasonIn(issue?.message ?? 'invalid')}, got ${received}`
  const { hardhatType: type, phrases } = known
  const ofType = type === undefined ? undefined : PHRASES.ofOtherType(place, received, type)
  throw new NodeError('invalidParams', message, {
    isInput: phrases !== undefined,
    phrases: phrases ?? ofType,
  })
}

/** The message of a schema without the received type, because the value itself follows. */
const reasonIn = (message: string): string =>
  message.replace(/^Invalid input: expected (.*), received \w+$/, 'expected $1')

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let inner = value
  for (const key of path) {
    if (typeof inner !== 'object' || inner === null) return inner
    inner = quotableMember(String(key), Object.getOwnPropertyDescriptor(inner, key)?.value)
  }
  return inner
}
