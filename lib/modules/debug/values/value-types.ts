/** Values that fit a word: numbers, addresses, bytes of fixed length, enums, contracts and functions. */

import type { StorageValue } from '../../../insight/artifacts/storage-layout.ts'
import { bigIntToBytes32 } from '../../../base/hex.ts'
import { valueText } from '../../../insight/explain/storage-variables.ts'
import type { StoredPlace, Value, MachineView } from './value.ts'

/** What determines the clean word of a value. */
export type WordType = Pick<StorageValue, 'encoding' | 'bytes'>

/** Whether values lie at the left of a word: bytes of fixed length. */
export const isLeftAligned = ({ encoding }: WordType): boolean => /^bytes\d/.test(encoding)

const isSigned = (encoding: string): boolean => encoding.startsWith('int')

/** Whether a type is that of external functions, which have two words on the stack. */
export const isExternalFunction = ({ encoding, bytes }: WordType): boolean =>
  encoding.startsWith('function') && bytes === 24

/** The word without bits that do not belong to the value. */
export function cleanWord(type: WordType, word: bigint): bigint {
  const bits = 8 * type.bytes
  if (isLeftAligned(type)) {
    const unused = BigInt(256 - bits)
    return (word >> unused) << unused
  }
  if (isSigned(type.encoding)) return BigInt.asUintN(256, BigInt.asIntN(bits, word))
  if (type.encoding === 'bool') return BigInt.asUintN(8, word) === 0n ? 0n : 1n
  return BigInt.asUintN(bits, word)
}

/** The clean word of bytes that lie at the right of a number, as in a slot. */
export const wordFromRight = (type: WordType, bytes: bigint): bigint =>
  cleanWord(type, isLeftAligned(type) ? BigInt.asUintN(256, bytes << BigInt(256 - 8 * type.bytes)) : bytes)

/** The word of a type from a word as the memory and encoded data have it: they align external functions at the left. */
export const decodedWord = (type: WordType, word: bigint): bigint =>
  isExternalFunction(type) ? word >> 64n : word

/** The number that a value is; undefined if it is none. */
export function numberOf({ constant, word, type, encoding = type }: Value): bigint | undefined {
  if (constant !== undefined || word === undefined) return constant
  return isSigned(encoding) ? BigInt.asIntN(256, word) : word
}

/** The clean word of a type for another value, which is not changed by it; undefined if the type does not have the value. */
export function convertedWord(type: WordType, value: Value): bigint | undefined {
  const { content, constant, word: given, encoding = value.type } = value
  if (isLeftAligned(type)) {
    if (content !== undefined) return wordOfContent(type, content)
    // As in Solidity, a number in hex stands for its bytes.
    if (constant !== undefined)
      return constant >> BigInt(8 * type.bytes) ? undefined : wordFromRight(type, constant)
    if (given === undefined || !/^bytes\d/.test(encoding)) return undefined
    return cleanWord(type, given) === given ? given : undefined
  }
  const number = numberOf(value)
  if (number === undefined || /^bytes\d/.test(encoding)) return undefined
  const word = cleanWord(type, BigInt.asUintN(256, number))
  return numberOf({ type: type.encoding, text: '', word }) === number ? word : undefined
}

function wordOfContent(type: WordType, content: Uint8Array): bigint | undefined {
  if (content.length > type.bytes) return undefined
  const word = Buffer.alloc(32)
  word.set(content)
  return BigInt(`0x${word.toString('hex')}`)
}

type FunctionNames = Pick<MachineView, 'functionAt' | 'isCreation'>

/** The value of a word, which may have bits that do not belong to it. */
export function valueOfWord(
  type: StorageValue,
  word: bigint,
  machine: FunctionNames,
  stored?: StoredPlace,
): Value {
  const clean = cleanWord(type, word)
  const { label, encoding } = type
  const text = textOf(type, clean, machine)
  return { type: label, encoding, text, word: clean, stored }
}

function textOf(type: StorageValue, word: bigint, machine: FunctionNames): string {
  const { label, encoding, bytes, names } = type
  const name = names?.[Number(word)]
  if (name !== undefined)
    return `${label.slice(1 + Math.max(label.lastIndexOf(' '), label.lastIndexOf('.')))}.${name}`
  if (encoding.startsWith('function')) return functionText(type, word, machine)
  const all = bigIntToBytes32(word)
  const text = valueText(type, isLeftAligned(type) ? all.subarray(0, bytes) : all.subarray(32 - bytes))
  const [, contract] = /^contract (.*)$/.exec(encoding) ?? []
  return contract === undefined ? text : `${contract}(${text})`
}

function functionText(type: StorageValue, word: bigint, { functionAt, isCreation }: FunctionNames): string {
  if (isExternalFunction(type)) {
    const digits = word.toString(16).padStart(48, '0')
    return `0x${digits.slice(0, 40)}.0x${digits.slice(40)}`
  }
  const entry = Number(isCreation === true ? word >> 32n : BigInt.asUintN(32, word))
  return functionAt?.(entry) ?? `function at ${entry}`
}
