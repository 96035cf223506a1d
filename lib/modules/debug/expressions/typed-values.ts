/**
 * The values of expressions: untyped numbers, elementary types, texts and bytes. Operators are checked like Solidity's: a result
 * that does not fit its type is an error.
 */

import { invalidParams } from '../../../base/errors.ts'
import { equalBytes } from '../../../base/hex.ts'
import { valueType, type StorageValue } from '../../../insight/artifacts/storage-layout.ts'
import {
  arrayValue,
  bytesValue,
  cleanWord,
  convertedWord,
  isLeftAligned,
  numberOf,
  valueOfWord,
  wordFromRight,
  type Value,
} from '../values/value.ts'

/** A number without a type, as literals and computations with them have none. */
export const constantValue = (number: bigint): Value => ({
  type: 'int_const',
  text: number.toString(),
  word: BigInt.asUintN(256, number),
  constant: number,
})

/** The type with a name: a number type, fixed-length bytes, `address` or `bool`. */
export function elementaryType(name: string): StorageValue | undefined {
  const [, kind, digits = ''] = /^(u?int|bytes)(\d*)$/.exec(name) ?? []
  if (kind === undefined) return FIXED.get(name)
  const size = kind === 'bytes' ? Number(digits) : Number(digits || 256) / 8
  if (!Number.isInteger(size) || size < 1 || size > 32) return undefined
  return valueType(kind + (kind === 'bytes' || digits !== '' ? digits : '256'), size)
}

const FIXED = new Map([
  ['bool', valueType('bool', 1)],
  ['address', valueType('address', 20)],
  ['address payable', valueType('address payable', 20)],
  ['payable', valueType('address payable', 20)],
])

/** The elementary type of a value; undefined for other types and for untyped numbers. */
export const typeOfValue = ({ type, encoding = type }: Value): StorageValue | undefined =>
  elementaryType(encoding)

export const typedValue = (type: StorageValue, word: bigint): Value => valueOfWord(type, word, {})

export const boolValue = (isTrue: boolean): Value => typedValue(valueType('bool', 1), isTrue ? 1n : 0n)

export const uintValue = (number: bigint): Value => typedValue(valueType('uint256', 32), number)

export const addressValue = (number: bigint): Value => typedValue(valueType('address', 20), number)

/** A text, or bytes of any length. */
export const contentValue = (label: 'string' | 'bytes', content: Uint8Array): Value =>
  bytesValue({ kind: 'bytes', label, bytes: 32, slots: 1n }, 'memory', content)

export const listValue = (values: readonly Value[]): Value =>
  arrayValue({
    type: `${values[0]?.type ?? 'int_const'}[] memory`,
    count: BigInt(values.length),
    item: (index) => values[Number(index)] ?? { unknown: 'there is no such item' },
  })

/** The smallest number type that fits a number of up to one word. */
function mobileType(number: bigint): StorageValue | undefined {
  const kind = number < 0n ? 'int' : 'uint'
  for (let bytes = 1; bytes <= 32; bytes++) {
    const bits = 8 * bytes
    const kept = kind === 'int' ? BigInt.asIntN(bits, number) : BigInt.asUintN(bits, number)
    if (kept === number) return valueType(`${kind}${bits}`, bytes)
  }
  return undefined
}

/** The `min` or `max` of a number type; undefined for another name. */
export function boundOf(typeName: string, name: string): Value | undefined {
  const type = /^u?int/.test(typeName) ? elementaryType(typeName) : undefined
  if (type === undefined || (name !== 'min' && name !== 'max')) return undefined
  const isSigned = type.encoding.startsWith('int')
  const above = 1n << BigInt(8 * type.bytes - (isSigned ? 1 : 0))
  return typedValue(type, BigInt.asUintN(256, name === 'max' ? above - 1n : isSigned ? -above : 0n))
}

/** Whether a name, called like a function, converts a value. */
export const isConversion = (name: string): boolean =>
  name === 'string' || name === 'bytes' || elementaryType(name) !== undefined

/** The result of a conversion such as `uint8(x)`; undefined if it does not exist. */
export function convertValue(name: string, value: Value): Value | undefined {
  const { content } = value
  if (name === 'string' || name === 'bytes') return content && contentValue(name, content)
  const type = elementaryType(name)
  const word = type && wordOfConversion(type, value)
  return type === undefined || word === undefined ? undefined : typedValue(type, word)
}

function wordOfConversion(type: StorageValue, value: Value): bigint | undefined {
  const from = typeOfValue(value)
  // What does not fit is truncated, but not for literals.
  if (type.encoding === 'bool' || value.constant !== undefined) return convertedWord(type, value)
  if (isLeftAligned(type) && value.content !== undefined)
    return convertedWord(type, { ...value, content: value.content.subarray(0, type.bytes) })
  if (value.word === undefined) return undefined
  const isLeft = from !== undefined && isLeftAligned(from)
  if (isLeft && isLeftAligned(type)) return cleanWord(type, value.word)
  const number = isLeft ? value.word >> BigInt(256 - 8 * from.bytes) : numberOf(value)
  return number === undefined ? undefined : wordFromRight(type, BigInt.asUintN(256, number))
}

/** Maximum bits of an untyped number. */
const MAX_BITS = 4096

/** The result of a binary operator. Both operands are computed. @throws NodeError 'invalidParams' */
export function applyBinary(operator: string, left: Value, right: Value): Value {
  if (operator === '==' || operator === '!=')
    return boolValue(areEqual(operator, left, right) === (operator === '=='))
  const isOrdered = ORDERS[operator]
  if (isOrdered !== undefined) return boolValue(isOrdered(...comparable(operator, left, right)))
  const bytes = bytesTypeOf(left)
  if (operator === '<<' || operator === '>>') return shift(operator, left, right)
  if (bytes !== undefined) return combineBytes(operator, bytes, left, right)
  const [first, second] = [integerOf(left), integerOf(right)]
  if (first === undefined || second === undefined) return refuse(operator, left, right)
  const type = operator === '**' ? typeOfPower(left, right) : commonType(operator, left, right)
  // In Solidity quotients of literals are exact.
  if (type === undefined && operator === '/' && second !== 0n && first % second !== 0n)
    return fail(`${first} / ${second} is no integer`)
  const result = compute(operator, first, second)
  return checked(type, result, `${left.text} ${operator} ${right.text}`)
}

/** The result of a unary operator. @throws NodeError 'invalidParams' */
export function applyUnary(operator: string, operand: Value): Value {
  const [type, number, bytes] = [typeOfValue(operand), integerOf(operand), bytesTypeOf(operand)]
  if (operator === '!' && type?.encoding === 'bool') return boolValue(operand.word === 0n)
  if (operator === '~' && bytes !== undefined && operand.word !== undefined)
    return typedValue(bytes, BigInt.asUintN(256, ~operand.word))
  if (
    number === undefined ||
    operator === '!' ||
    (operator === '-' && type?.encoding.startsWith('uint') === true)
  )
    return fail(`${operator} does not apply to ${operand.type}`)
  if (operator === '-') return checked(type, -number, `-(${operand.text})`)
  return type === undefined ? constantValue(~number) : typedValue(type, BigInt.asUintN(256, ~number))
}

/** A typed or untyped number; undefined for other values. */
function integerOf(value: Value): bigint | undefined {
  const { constant, type, encoding = type } = value
  return constant ?? (/^u?int\d/.test(encoding) ? numberOf(value) : undefined)
}

/** The type of fixed-length bytes; undefined for other values. */
function bytesTypeOf(value: Value): StorageValue | undefined {
  const type = typeOfValue(value)
  return type !== undefined && isLeftAligned(type) ? type : undefined
}

/** Ends an evaluation. @throws NodeError 'invalidParams' */
export function fail(problem: string): never {
  throw invalidParams(problem)
}

const refuse = (operator: string, left: Value, right: Value): never =>
  fail(`${operator} does not apply to ${left.type} and ${right.type}`)

/** The result, if it fits its type. */
function checked(type: StorageValue | undefined, result: bigint | undefined, text: string): Value {
  if (type === undefined) {
    if (result !== undefined && bitsOf(result) <= MAX_BITS) return constantValue(result)
  } else {
    const word = result === undefined ? undefined : convertedWord(type, constantValue(result))
    if (word !== undefined) return typedValue(type, word)
  }
  return fail(`${text} exceeds ${type?.label ?? `${MAX_BITS} bits`}`)
}

const bitsOf = (number: bigint): number => number.toString(2).length

/** Undefined for a power with too many digits. */
function compute(operator: string, left: bigint, right: bigint): bigint | undefined {
  switch (operator) {
    case '+':
      return left + right
    case '-':
      return left - right
    case '*':
      return left * right
    case '/':
    case '%':
      if (right === 0n) return fail(`${left} ${operator} 0 is a division by zero`)
      return operator === '/' ? left / right : left % right
    case '**':
      if (right < 0n) return fail(`the exponent ${right} is negative`)
      if (left === 0n || left === 1n) return right === 0n ? 1n : left
      return right * BigInt(bitsOf(left) - 1) > MAX_BITS ? undefined : left ** right
    case '&':
      return left & right
    case '|':
      return left | right
    default:
      return left ^ right
  }
}

/** The type of both operands; undefined for two untyped numbers. */
function commonType(operator: string, left: Value, right: Value): StorageValue | undefined {
  if (left.constant !== undefined && right.constant !== undefined) return undefined
  const [first, second] = [typeBeside(right, left), typeBeside(left, right)]
  if (first === undefined || second === undefined) return refuse(operator, left, right)
  return (
    [second, first].find((type) => hasAll(type, first) && hasAll(type, second)) ??
    refuse(operator, left, right)
  )
}

/** The type of a value. An untyped number gets the other operand's type, or the smallest type that fits. */
function typeBeside(other: Value, value: Value): StorageValue | undefined {
  const [type, beside] = [typeOfValue(value), typeOfValue(other)]
  if (type !== undefined || value.constant === undefined) return type
  return beside !== undefined && convertedWord(beside, value) !== undefined
    ? beside
    : mobileType(value.constant)
}

/** Whether a number type contains all numbers of another. */
function hasAll(type: StorageValue, other: StorageValue): boolean {
  const [isSigned, isOtherSigned] = [type, other].map(({ encoding }) => encoding.startsWith('int'))
  return isSigned === isOtherSigned
    ? type.bytes >= other.bytes
    : isSigned === true && type.bytes > other.bytes
}

/** Powers and shifts have the left operand's type. */
function typeOfPower(left: Value, right: Value): StorageValue | undefined {
  if (left.constant === undefined || right.constant !== undefined) return typeOfValue(left)
  return elementaryType(left.constant < 0n ? 'int256' : 'uint256')
}

/** Bits beyond the type are truncated. */
function shift(operator: string, left: Value, right: Value): Value {
  const [amount, bytes] = [integerOf(right), bytesTypeOf(left)]
  const number = bytes === undefined ? integerOf(left) : left.word
  if (number === undefined || amount === undefined || amount < 0n) return refuse(operator, left, right)
  const type = typeOfPower(left, right)
  const most = BigInt(type === undefined ? MAX_BITS : 256)
  const by = amount < most ? amount : most
  const result = operator === '<<' ? number << by : number >> by
  if (type === undefined) return checked(type, result, `${left.text} ${operator} ${right.text}`)
  return typedValue(type, BigInt.asUintN(256, result))
}

function combineBytes(operator: string, type: StorageValue, left: Value, right: Value): Value {
  const other = bytesTypeOf(right)
  const wider = other !== undefined && other.bytes > type.bytes ? other : type
  const [first, second] = [left.word, other === undefined ? convertedWord(type, right) : right.word]
  if (first === undefined || second === undefined || !['&', '|', '^'].includes(operator))
    return refuse(operator, left, right)
  return typedValue(wider, compute(operator, first, second) ?? 0n)
}

/** Compares texts and bytes by content, which Solidity cannot. */
function areEqual(operator: string, left: Value, right: Value): boolean {
  if (left.content !== undefined && right.content !== undefined)
    return equalBytes(left.content, right.content)
  const [first, second] = comparable(operator, left, right)
  return first === second
}

type Comparable = bigint | number

export const ORDERS: Readonly<Record<string, (left: Comparable, right: Comparable) => boolean>> = {
  '<': (left, right) => left < right,
  '>': (left, right) => left > right,
  '<=': (left, right) => left <= right,
  '>=': (left, right) => left >= right,
}

function comparable(operator: string, left: Value, right: Value): readonly [bigint, bigint] {
  const type = bytesTypeOf(left) ?? bytesTypeOf(right)
  const wordOf = (value: Value) =>
    bytesTypeOf(value) === undefined && type ? convertedWord(type, value) : value.word
  const [first, second] =
    type === undefined ? [numberOf(left), numberOf(right)] : [wordOf(left), wordOf(right)]
  const isBool = [left, right].map((value) => typeOfValue(value)?.encoding === 'bool')
  if (first === undefined || second === undefined || isBool[0] !== isBool[1])
    return refuse(operator, left, right)
  return [first, second]
}
