/** Expressions of a debugger: a part of Solidity's, without assignments. Their evaluation is in evaluate.ts. */

import { NodeError } from '../../../base/errors.ts'
import { readHex } from '../../../base/hex.ts'
import { shorten } from '../../../base/shorten.ts'
import type { Value } from '../values/value.ts'
import { addressValue, boolValue, constantValue, contentValue } from './typed-values.ts'

/** A parsed expression. */
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

/** Operators with two operands, from those that bind least (Solidity documentation, "Order of Precedence of Operators"). */
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

  /** An expression of operators that bind at least as a level does. */
  #binary(least: number): Expression {
    let left = this.#unary()
    for (;;) {
      const operator = this.#next.text
      const level = this.#next.kind === 'sign' ? LEVEL_OF.get(operator) : undefined
      if (level === undefined || level < least) return left
      this.#advance()
      // Powers are computed from the right.
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
    const found = TOKEN.exec(this.#text)
    if (found === null) return this.#refuse({ kind: 'sign', text: this.#text.charAt(at), at: at + 1 })
    this.#end = TOKEN.lastIndex
    const { literal, name } = found.groups ?? {}
    const kind = literal !== undefined ? 'literal' : name !== undefined ? 'name' : 'sign'
    return { kind, text: found[0], at: at + 1 }
  }

  #refuse({ kind, text, at } = this.#next): never {
    const what = kind === 'end' ? 'end' : `"${shorten(text)}"`
    throw new NodeError(
      'invalidParams',
      `unexpected ${what} at position ${at} of the expression "${shorten(this.#text)}"`,
    )
  }
}

const nameOrTruth = (name: string): Expression =>
  name === 'true' || name === 'false'
    ? { kind: 'literal', value: boolValue(name === 'true') }
    : { kind: 'name', name }

/** Factors of the units that can follow a number. */
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

/** Factor of a unit; undefined for another name. */
const unitOf = (name: string): bigint | undefined => (Object.hasOwn(UNITS, name) ? UNITS[name] : undefined)

/** Decimal digits before and after the point, at most. */
const MAX_EXPONENT = 100

/** The value of a literal; undefined if it is none. */
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

/** The value of a text in quotes; undefined for an escape or digits that are none. */
function contentOf(text: string): Value | undefined {
  const [, prefix = '', inner = ''] = /^(hex|unicode|)["'](.*)["']$/s.exec(text) ?? []
  if (prefix === 'hex') {
    const bytes = readHex(`0x${inner.replaceAll('_', '')}`)
    return bytes && contentValue('bytes', bytes)
  }
  try {
    // JSON has the same escapes but \' and \x.
    const json = inner.replaceAll(String.raw`\'`, "'").replace(/(?<!\\)((?:\\\\)*)"/g, String.raw`$1\"`)
    return contentValue('string', Buffer.from(String(JSON.parse(`"${json}"`))))
  } catch {
    return undefined
  }
}
