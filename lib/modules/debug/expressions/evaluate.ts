/** Parses and evaluates expressions over named values: a part of Solidity's, without assignments. typed-values.ts has the operators. */

import { invalidParams } from '../../../base/errors.ts'
import { readHex } from '../../../base/hex.ts'
import { shorten } from '../../../base/shorten.ts'
import { numberOf, isUnknown, type UnknownValue, type Value } from '../values/value.ts'
import {
  applyBinary,
  applyUnary,
  fail,
  boolValue,
  boundOf,
  convertValue,
  isConversion,
  listValue,
  typeOfValue,
  uintValue,
  addressValue,
  constantValue,
  contentValue,
} from './typed-values.ts'

export interface ExpressionNames {
  /** The value of a name. Dotted names are looked up as a whole first: `msg.sender`, `Status.Paid`. */
  readonly lookup: (name: string) => Value | UnknownValue | undefined
  /**
   * The result of a member function of a value, such as a contract or address, or of a member without parentheses, such as
   * `balance`. Functions called by name alone are members of `this`.
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
 * The value of an expression; unknown if an operand is unknown. @throws NodeError 'invalidParams' for names and operations that do
 * not exist, and for operations that fail
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
      return ifKnown(expression.object, names, (object) =>
        ifKnown(expression.key, names, (key) => itemOf(object, key)),
      )
    case 'call':
      return resultOf(expression, names)
    case 'list':
      return withValues(expression.items, names, listValue)
    case 'unary':
      return ifKnown(expression.operand, names, (operand) => applyUnary(expression.operator, operand))
    case 'binary':
      return binaryOf(expression, names)
    case 'choice':
      return ifKnown(expression.condition, names, (condition) =>
        evaluate(isTrue(condition) ? expression.yes : expression.no, names),
      )
  }
}

/** Whether a value is true, for conditions. @throws NodeError 'invalidParams' if it is not a boolean */
export const isTrue = (value: Value): boolean =>
  typeOfValue(value)?.encoding === 'bool' ? value.word === 1n : fail(`expected a bool, not ${value.type}`)

/** Continues with an expression's value if it is known. */
async function ifKnown(
  expression: Expression,
  names: ExpressionNames,
  next: (value: Value) => Value | UnknownValue | Result,
): Result {
  const value = await evaluate(expression, names)
  return isUnknown(value) ? value : next(value)
}

function binaryOf({ operator, left, right }: ExpressionOf<'binary'>, names: ExpressionNames): Result {
  return ifKnown(left, names, (first) => {
    const isJoined = operator === '&&' || operator === '||'
    if (isJoined && isTrue(first) === (operator === '||')) return first
    return ifKnown(right, names, (second) =>
      isJoined ? boolValue(isTrue(second)) : applyBinary(operator, first, second),
    )
  })
}

async function memberOf(expression: ExpressionOf<'member'>, names: ExpressionNames): Result {
  const { object, name } = expression
  const path = pathOf(expression)
  const value = (path === undefined ? undefined : names.lookup(path)) ?? boundNamed(expression)
  if (value !== undefined) return value
  return ifKnown(object, names, (owner) => {
    const { type, word, parts, at, count } = owner
    if (name === 'length' && isList(owner) && count !== undefined) return uintValue(BigInt(count))
    const [, member] = (at === undefined ? parts?.() : undefined)?.find(([label]) => label === name) ?? []
    if (member !== undefined) return member
    if (word === undefined || names.call === undefined) return fail(`${type} has no member ${name}`)
    return names.call(owner, name, [])
  })
}

/** The dotted name of a member; undefined if its object has no name. */
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
    return ifKnown(
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
  return ifKnown(target, names, (owner) =>
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
  return ifKnown(first, names, (value) => withValues(others, names, next, [...values, value]))
}

export type Expression =
  | { readonly kind: 'literal'; readonly value: Value }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'member'; readonly object: Expression; readonly name: string }
  | { readonly kind: 'index'; readonly object: Expression; readonly key: Expression }
  | { readonly kind: 'call'; readonly called: Expression; readonly args: readonly Expression[] }
  | { readonly kind: 'list'; readonly items: readonly Expression[] }
  | { readonly kind: 'unary'; readonly operator: string; readonly operand: Expression }
  | {
      readonly kind: 'binary'
      readonly operator: string
      readonly left: Expression
      readonly right: Expression
    }
  | {
      readonly kind: 'choice'
      readonly condition: Expression
      readonly yes: Expression
      readonly no: Expression
    }

/** Binary operators, the weakest first (Solidity documentation, "Order of Precedence of Operators"). */
const LEVELS = [
  ['||'],
  ['&&'],
  ['==', '!='],
  ['<', '>', '<=', '>='],
  ['|'],
  ['^'],
  ['&'],
  ['<<', '>>'],
  ['+', '-'],
  ['*', '/', '%'],
  ['**'],
]
const LEVEL_OF = new Map(LEVELS.flatMap((operators, level) => operators.map((operator) => [operator, level])))

const TOKEN =
  /(?<literal>0[xX][\da-fA-F_]+|\d[\d_]*(?:\.\d+)?(?:[eE]-?\d+)?|(?:hex|unicode)?(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'))|(?<name>[A-Za-z_$][\w$]*)|(?<sign>\*\*|<<|>>|[<>=!]=|&&|\|\||[-+*/%<>!~&|^?:()[\].,])/y

interface Token {
  readonly kind: 'literal' | 'name' | 'sign' | 'end'
  readonly text: string
  /** Position in the text, from 1. */
  readonly at: number
}

/** Reads an expression. @throws NodeError 'invalidParams' */
export const parseExpression = (text: string): Expression => new ExpressionParser(text).whole()

class ExpressionParser {
  readonly #text: string
  #end = 0
  #next: Token

  constructor(text: string) {
    this.#text = text
    this.#next = this.#token()
  }

  whole(): Expression {
    const expression = this.#choice()
    return this.#next.kind === 'end' ? expression : this.#refuse()
  }

  #choice(): Expression {
    const condition = this.#binary(0)
    if (!this.#skip('?')) return condition
    const yes = this.#choice()
    this.#expect(':')
    return { kind: 'choice', condition, yes, no: this.#choice() }
  }

  /** An expression of operators that bind at least as strongly as a level. */
  #binary(least: number): Expression {
    let left = this.#unary()
    for (;;) {
      const operator = this.#next.text
      const level = this.#next.kind === 'sign' ? LEVEL_OF.get(operator) : undefined
      if (level === undefined || level < least) return left
      this.#advance()
      // Powers associate to the right.
      left = { kind: 'binary', operator, left, right: this.#binary(operator === '**' ? level : level + 1) }
    }
  }

  #unary(): Expression {
    const operator = this.#next.text
    if (this.#next.kind !== 'sign' || !['-', '!', '~'].includes(operator)) return this.#postfix()
    this.#advance()
    return { kind: 'unary', operator, operand: this.#unary() }
  }

  #postfix(): Expression {
    let object = this.#primary()
    for (;;) {
      if (this.#skip('.')) object = { kind: 'member', object, name: this.#take('name').text }
      else if (this.#skip('[')) {
        object = { kind: 'index', object, key: this.#choice() }
        this.#expect(']')
      } else if (this.#skip('(')) object = { kind: 'call', called: object, args: this.#list(')') }
      else return object
    }
  }

  #list(end: string): readonly Expression[] {
    const items: Expression[] = []
    if (this.#skip(end)) return items
    do items.push(this.#choice())
    while (this.#skip(','))
    this.#expect(end)
    return items
  }

  #primary(): Expression {
    if (this.#skip('(')) {
      const inner = this.#choice()
      this.#expect(')')
      return inner
    }
    if (this.#skip('[')) return { kind: 'list', items: this.#list(']') }
    if (this.#next.kind === 'name') return nameOrTruth(this.#advance().text)
    const token = this.#take('literal')
    const value = literalOf(token.text, this.#unit())
    return value === undefined ? this.#refuse(token) : { kind: 'literal', value }
  }

  #unit(): bigint | undefined {
    const unit = this.#next.kind === 'name' ? unitOf(this.#next.text) : undefined
    if (unit !== undefined) this.#advance()
    return unit
  }

  #take(kind: Token['kind']): Token {
    return this.#next.kind === kind ? this.#advance() : this.#refuse()
  }

  #expect(sign: string): void {
    if (!this.#skip(sign)) this.#refuse()
  }

  #skip(sign: string): boolean {
    const isNext = this.#next.kind === 'sign' && this.#next.text === sign
    if (isNext) this.#advance()
    return isNext
  }

  #advance(): Token {
    const token = this.#next
    this.#next = this.#token()
    return token
  }

  #token(): Token {
    const at = this.#end + (/^\s*/.exec(this.#text.slice(this.#end))?.[0].length ?? 0)
    if (at === this.#text.length) return { kind: 'end', text: '', at: at + 1 }
    TOKEN.lastIndex = at
    const match = TOKEN.exec(this.#text)
    if (match === null) return this.#refuse({ kind: 'sign', text: this.#text.charAt(at), at: at + 1 })
    this.#end = TOKEN.lastIndex
    const { literal, name } = match.groups ?? {}
    const kind = literal !== undefined ? 'literal' : name !== undefined ? 'name' : 'sign'
    return { kind, text: match[0], at: at + 1 }
  }

  #refuse({ kind, text, at } = this.#next): never {
    const what = kind === 'end' ? 'end' : `"${shorten(text)}"`
    throw invalidParams(`unexpected ${what} at position ${at} of the expression "${shorten(this.#text)}"`)
  }
}

const nameOrTruth = (name: string): Expression =>
  name === 'true' || name === 'false'
    ? { kind: 'literal', value: boolValue(name === 'true') }
    : { kind: 'name', name }

/** Factors of the units that may follow a number. */
const UNITS: Readonly<Record<string, bigint>> = {
  wei: 1n,
  gwei: 10n ** 9n,
  ether: 10n ** 18n,
  seconds: 1n,
  minutes: 60n,
  hours: 3600n,
  days: 86_400n,
  weeks: 604_800n,
}

const unitOf = (name: string): bigint | undefined => (Object.hasOwn(UNITS, name) ? UNITS[name] : undefined)

/** Maximum number of decimal digits before and after the point. */
const MAX_EXPONENT = 100

function literalOf(text: string, unit = 1n): Value | undefined {
  if (/["']$/.test(text)) return contentOf(text)
  const digits = text.replaceAll('_', '')
  if (/^0x/i.test(digits)) {
    const number = BigInt(digits)
    return digits.length === 42 ? addressValue(number) : constantValue(number * unit)
  }
  const [, whole = '', part = '', power = '0'] = /^(\d+)(?:\.(\d+))?(?:e(-?\d+))?$/i.exec(digits) ?? []
  const exponent = Number(power) - part.length
  if (Math.abs(exponent) > MAX_EXPONENT) return undefined
  const scaled = BigInt(whole + part) * unit
  if (exponent >= 0) return constantValue(scaled * 10n ** BigInt(exponent))
  const divisor = 10n ** BigInt(-exponent)
  return scaled % divisor === 0n ? constantValue(scaled / divisor) : undefined
}

/** The value of a quoted text; undefined for invalid escapes or digits. */
function contentOf(text: string): Value | undefined {
  const [, prefix = '', inner = ''] = /^(hex|unicode|)["'](.*)["']$/s.exec(text) ?? []
  if (prefix === 'hex') {
    const bytes = readHex(`0x${inner.replaceAll('_', '')}`)
    return bytes && contentValue('bytes', bytes)
  }
  try {
    // JSON has the same escapes except \' and \x.
    const json = inner.replaceAll(String.raw`\'`, "'").replace(/(?<!\\)((?:\\\\)*)"/g, String.raw`$1\"`)
    return contentValue('string', Buffer.from(String(JSON.parse(`"${json}"`))))
  } catch {
    return undefined
  }
}
