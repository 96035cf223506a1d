/** Values that expressions have: numbers without a type, elementary types, texts and bytes. */

import { valueType, type StorageValue } from '../../../insight/artifacts/storage-layout.ts'
import { arrayValue, bytesValue } from '../values/compound-values.ts'
import {
  cleanWord,
  convertedWord,
  isLeftAligned,
  numberOf,
  valueOfWord,
  wordFromRight,
} from '../values/value-types.ts'
import type { Value } from '../values/value.ts'

/** A number without a type, as literals and computations with them have. */
export const constantValue = (number: bigint): Value => ({
  type: 'int_const',
  text: number.toString(),
  word: BigInt.asUintN(256, number),
  constant: number,
})

/** The type with a name: of numbers, bytes of fixed length, `address` or `bool`. */
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

/** The elementary type of a value; undefined for other types, and for a number without a type. */
export const typeOfValue = ({ type, encoding = type }: Value): StorageValue | undefined =>
  elementaryType(encoding)

/** A value of an elementary type. */
export const typedValue = (type: StorageValue, word: bigint): Value => valueOfWord(type, word, {})

/** A truth value. */
export const boolValue = (isTrue: boolean): Value => typedValue(valueType('bool', 1), isTrue ? 1n : 0n)

/** A number of type `uint256`. */
export const uintValue = (number: bigint): Value => typedValue(valueType('uint256', 32), number)

export const addressValue = (number: bigint): Value => typedValue(valueType('address', 20), number)

/** A text, or bytes of any length. */
export const contentValue = (label: 'string' | 'bytes', content: Uint8Array): Value =>
  bytesValue({ kind: 'bytes', label, bytes: 32, slots: 1n }, 'memory', content)

/** An array of some values. */
export const listValue = (values: readonly Value[]): Value =>
  arrayValue({
    type: `${values[0]?.type ?? 'int_const'}[] memory`,
    count: BigInt(values.length),
    item: (index) => values[Number(index)] ?? { unknown: 'there is no such item' },
  })

/** The smallest type of numbers that has a number, which fits a word. */
export function mobileType(number: bigint): StorageValue | undefined {
  const kind = number < 0n ? 'int' : 'uint'
  for (let bytes = 1; bytes <= 32; bytes++) {
    const bits = 8 * bytes
    const kept = kind === 'int' ? BigInt.asIntN(bits, number) : BigInt.asUintN(bits, number)
    if (kept === number) return valueType(`${kind}${bits}`, bytes)
  }
  return undefined
}

/** The `min` or `max` of a type of numbers; undefined for another name. */
export function boundOf(typeName: string, name: string): Value | undefined {
  const type = /^u?int/.test(typeName) ? elementaryType(typeName) : undefined
  if (type === undefined || (name !== 'min' && name !== 'max')) return undefined
  const isSigned = type.encoding.startsWith('int')
  const above = 1n << BigInt(8 * type.bytes - (isSigned ? 1 : 0))
  return typedValue(type, BigInt.asUintN(256, name === 'max' ? above - 1n : isSigned ? -above : 0n))
}

/** Whether a name, called as a function, converts a value. */
export const isConversion = (name: string): boolean =>
  name === 'string' || name === 'bytes' || elementaryType(name) !== undefined

/** The value as a conversion such as `uint8(x)` makes it; undefined if there is none. */
export function convertValue(name: string, value: Value): Value | undefined {
  const { content } = value
  if (name === 'string' || name === 'bytes') return content && contentValue(name, content)
  const type = elementaryType(name)
  const word = type && wordOfConversion(type, value)
  return type === undefined || word === undefined ? undefined : typedValue(type, word)
}

function wordOfConversion(type: StorageValue, value: Value): bigint | undefined {
  const from = typeOfValue(value)
  // What does not fit is cut off, but not of literals.
  if (type.encoding === 'bool' || value.constant !== undefined) return convertedWord(type, value)
  if (isLeftAligned(type) && value.content !== undefined)
    return convertedWord(type, { ...value, content: value.content.subarray(0, type.bytes) })
  if (value.word === undefined) return undefined
  const isLeft = from !== undefined && isLeftAligned(from)
  if (isLeft && isLeftAligned(type)) return cleanWord(type, value.word)
  const number = isLeft ? value.word >> BigInt(256 - 8 * from.bytes) : numberOf(value)
  return number === undefined ? undefined : wordFromRight(type, BigInt.asUintN(256, number))
}
