/** Decodes values that contracts return, and encodes arguments, using ox within limits. Precompiles have their own codec (codec.ts). */

import * as AbiParameters from 'ox/AbiParameters'
import { fromHex, toHex } from '../base/hex.ts'
import { itemType } from './arguments.ts'
import { AbiError } from './codec.ts'

/** A type as an ABI declares it; the components are the members of a tuple. */
export interface AbiParameterType {
  readonly type: string
  /** Names of the values of an enum, or of an enum in a list. */
  readonly names?: readonly string[] | undefined
  readonly components?: readonly AbiParameterType[] | undefined
}

/**
 * Decodes the values and ignores further data. Lists and tuples are arrays, bytes are hex, addresses have a checksum
 * (EIP-55), and types of up to 48 bits are numbers instead of bigints, or names. Undefined if the data does not encode the types.
 */
export function decodeValues(
  types: readonly AbiParameterType[],
  data: Uint8Array,
): readonly unknown[] | undefined {
  if (types.length === 0) return []
  try {
    const read = new MeteredBytes(data.buffer, data.byteOffset, data.byteLength)
    const values: readonly unknown[] = AbiParameters.decode(types.map(plainType), read, {
      checksumAddress: true,
    })
    return types.map((type, index) => withTexts(type, values[index]))
  } catch {
    // ox has errors of several classes.
    return undefined
  }
}

/** Encodes values as ox takes them. @throws Error of ox if one does not fit its type */
export const encodeValues = (types: readonly AbiParameterType[], values: readonly unknown[]): Uint8Array =>
  fromHex(AbiParameters.encode([...types], [...values]))

/** Encodes values. The caller passes texts and bytes as hex, words as numbers, lists and tuples as arrays. */
export const encodeWords = (types: readonly AbiParameterType[], values: readonly unknown[]): Uint8Array =>
  fromHex(AbiParameters.encode(types.map(wordType), [...values]))

/** A type for ox in which everything that fits a word is a number. */
function wordType({ type, components }: AbiParameterType): AbiParameters.Parameter {
  const plain = type.replace(/^string/, 'bytes').replace(/^(?!bytes(?!\d)|tuple)\w+/, 'uint256')
  return components === undefined ? { type: plain } : { type: plain, components: components.map(wordType) }
}

/** Whether data is the encoding of some values of the types, and no more. */
export function encodesExactly(types: readonly AbiParameterType[], data: Uint8Array): boolean {
  if (types.length === 0) return data.length === 0
  const plain = types.map(plainType)
  try {
    const read = new MeteredBytes(data.buffer, data.byteOffset, data.byteLength)
    const values: readonly unknown[] = AbiParameters.decode(plain, read)
    return AbiParameters.encode(plain, [...values]) === toHex(data)
  } catch {
    return false
  }
}

/** Offsets can make a decoder read the same bytes again. It may read this many bytes more than the data has. */
const MAX_READ_AGAIN = 640_000

/**
 * Encoded data that throws when a decoding reads too many bytes. ox limits the number of reads of a position, not that of
 * bytes, so a list of offsets to the same long bytes would fill the memory.
 */
class MeteredBytes extends Uint8Array<ArrayBufferLike> {
  #left = this.length + MAX_READ_AGAIN

  static get [Symbol.species](): Uint8ArrayConstructor {
    return Uint8Array
  }

  override subarray(begin?: number, end?: number): Uint8Array {
    const part = super.subarray(begin, end)
    this.#left -= part.length
    if (this.#left < 0) throw new AbiError(`more than ${this.length + MAX_READ_AGAIN} bytes to read`)
    return part
  }
}

/** The type as ox takes it. ox drops leading zero bytes of strings, so strings are read as bytes. Tuples become arrays. */
function plainType({ type, components }: AbiParameterType): AbiParameters.Parameter {
  const plain = type.replace(/^string/, 'bytes').replace(/^function/, 'bytes24')
  return components === undefined ? { type: plain } : { type: plain, components: components.map(plainType) }
}

/** Converts strings, which were read as bytes, to text, and values of enums to names. Invalid UTF-8 becomes U+FFFD. */
function withTexts({ type, names, components }: AbiParameterType, value: unknown): unknown {
  if (type === 'string') return new TextDecoder().decode(fromHex(String(value)))
  if (typeof value === 'number') return names?.[value] ?? value
  if (!Array.isArray(value)) return value
  const item = itemType(type)
  return value.map((each: unknown, index) => {
    const member = item === undefined ? components?.[index] : { type: item, names, components }
    return member === undefined ? each : withTexts(member, each)
  })
}
