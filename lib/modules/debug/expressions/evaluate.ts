/** Evaluates expressions over values that have names. Operators are in operators.ts. */

import { numberOf } from '../values/value-types.ts'
import { isUnknown, type UnknownValue, type Value } from '../values/value.ts'
import type { Expression } from './expression.ts'
import { applyBinary, applyUnary, fail } from './operators.ts'
import {
  boolValue,
  boundOf,
  convertValue,
  isConversion,
  listValue,
  typeOfValue,
  uintValue,
} from './typed-values.ts'

/** What the names in an expression stand for. */
export interface ExpressionNames {
  /** The value of a name; also of names with dots, which are looked up first: `msg.sender`, `Status.Paid`. */
  readonly lookup: (name: string) => Value | UnknownValue | undefined
  /**
   * The result of a function of a value, such as a contract or an address, and of a member without parentheses, such as
   * `balance`. Functions that are called by their name alone are those of `this`.
   */
  readonly call?: (
    target: Value,
    functionName: string,
    args: readonly Value[],
  ) => Promise<Value | UnknownValue>
}

type Result = Promise<Value | UnknownValue>

type ExpressionOf<Name> = Extract<Expression, { readonly kind: Name }>

/**
 * The value of an expression; unknown if one of its operands is.
 * @throws NodeError 'invalidParams' for names and operations that there are not, and for operations that fail
 */
export async function evaluate(expression: Expression, names: ExpressionNames): Result {
  switch (expression.kind) {
    case 'literal':
      return expression.value
    case 'name':
      return names.lookup(expression.name) ?? fail(`there is no ${expression.name} here`)
    case 'member':
      return memberOf(expression, names)
    case 'index':
      return known(expression.object, names, (object) =>
        known(expression.key, names, (key) => itemOf(object, key)),
      )
    case 'call':
      return resultOf(expression, names)
    case 'list':
      return withValues(expression.items, names, listValue)
    case 'unary':
      return known(expression.operand, names, (operand) => applyUnary(expression.operator, operand))
    case 'binary':
      return binaryOf(expression, names)
    case 'choice':
      return known(expression.condition, names, (condition) =>
        evaluate(isTrue(condition) ? expression.yes : expression.no, names),
      )
  }
}

/** Whether a value is true, for conditions. @throws NodeError 'invalidParams' if it is no truth value */
export const isTrue = (value: Value): boolean =>
  typeOfValue(value)?.encoding === 'bool' ? value.word === 1n : fail(`expected a bool, not ${value.type}`)

/** Continues with the value of an expression if it is known. */
async function known(
  expression: Expression,
  names: ExpressionNames,
  next: (value: Value) => Value | UnknownValue | Result,
): Result {
  const value = await evaluate(expression, names)
  return isUnknown(value) ? value : next(value)
}

function binaryOf({ operator, left, right }: ExpressionOf<'binary'>, names: ExpressionNames): Result {
  return known(left, names, (first) => {
    const isJoined = operator === '&&' || operator === '||'
    if (isJoined && isTrue(first) === (operator === '||')) return first
    return known(right, names, (second) =>
      isJoined ? boolValue(isTrue(second)) : applyBinary(operator, first, second),
    )
  })
}

async function memberOf(expression: ExpressionOf<'member'>, names: ExpressionNames): Result {
  const { object, name } = expression
  const path = pathOf(expression)
  const value = (path === undefined ? undefined : names.lookup(path)) ?? boundNamed(expression)
  if (value !== undefined) return value
  return known(object, names, (owner) => {
    const { type, word, parts, at, count } = owner
    if (name === 'length' && isList(owner) && count !== undefined) return uintValue(BigInt(count))
    const [, member] = (at === undefined ? parts?.() : undefined)?.find(([label]) => label === name) ?? []
    if (member !== undefined) return member
    if (word === undefined || names.call === undefined) return fail(`${type} has no member ${name}`)
    return names.call(owner, name, [])
  })
}

/** The names of a member with dots; undefined if it is one of something without a name. */
function pathOf(expression: Expression): string | undefined {
  if (expression.kind === 'name') return expression.name
  const path = expression.kind === 'member' ? pathOf(expression.object) : undefined
  return path === undefined || expression.kind !== 'member' ? undefined : `${path}.${expression.name}`
}

/** The value of `type(uint8).max` or `type(uint8).min`. */
function boundNamed({ object, name }: ExpressionOf<'member'>): Value | undefined {
  if (object.kind !== 'call' || pathOf(object.called) !== 'type') return undefined
  const [type] = object.args
  return type?.kind === 'name' ? boundOf(type.name, name) : undefined
}

const isList = ({ type, at }: Value): boolean => at !== undefined && !type.startsWith('mapping')

function itemOf(object: Value, key: Value): Value | UnknownValue {
  if (object.at === undefined) return fail(`${object.type} has no items`)
  if (isList(object) && (numberOf(key) === undefined || /^bytes/.test(key.encoding ?? '')))
    return fail(`an index is a number, not ${key.type}`)
  const what = isList(object)
    ? `item ${key.text} among ${object.count} items`
    : `key ${key.text} of ${object.type}`
  return object.at(key) ?? fail(`there is no ${what}`)
}

async function resultOf({ called, args }: ExpressionOf<'call'>, names: ExpressionNames): Result {
  const [first, second] = args
  if (called.kind === 'name' && isConversion(called.name)) {
    const { name } = called
    if (first === undefined || second !== undefined) return fail(`${name} converts one value`)
    return known(
      first,
      names,
      (value) =>
        convertValue(name, value) ?? fail(`${value.text} (${value.type}) has no conversion to ${name}`),
    )
  }
  if (called.kind !== 'name' && called.kind !== 'member') return fail('only functions with a name are called')
  const target: Expression = called.kind === 'member' ? called.object : { kind: 'name', name: 'this' }
  const { call } = names
  if (call === undefined) return fail(`${called.name} is a function, and functions are not called here`)
  return known(target, names, (owner) =>
    withValues(args, names, (values) => call(owner, called.name, values)),
  )
}

/** Continues with the values of expressions if all are known. */
async function withValues(
  expressions: readonly Expression[],
  names: ExpressionNames,
  next: (values: readonly Value[]) => Value | UnknownValue | Result,
  values: readonly Value[] = [],
): Result {
  const [first, ...others] = expressions
  if (first === undefined) return next(values)
  return known(first, names, (value) => withValues(others, names, next, [...values, value]))
}
