/** Values that contracts hand out, decoded by ox within bounds. Precompiles have a codec of their own (codec.ts). */

import * as AbiParameters from 'ox/AbiParameters'
import { fromHex } from '../base/hex.ts'
import { AbiError } from './reader.ts'

/** A type as it stands in an ABI; members of a tuple are its components. */
export interface AbiParameter {
  readonly type: string
  readonly components?: readonly AbiParameter[] | undefined
}

/**
 * The values that the data encodes; what follows them is ignored. Lists and tuples are arrays, bytes are hex, addresses
 * have a checksum (EIP-55), and numbers of up to 48 bits are no bigints.
 * @throws AbiError when the data does not encode the types
 */
export function decodeValues(types: readonly AbiParameter[], data: Uint8Array): readonly unknown[] {
  if (types.length === 0) return []
  try {
    const read = new MeteredBytes(data.buffer, data.byteOffset, data.byteLength)
    const values: readonly unknown[] = AbiParameters.decode(types.map(plainType), read, {
      checksumAddress: true,
    })
    return types.map((type, index) => withTexts(type, values[index]))
  } catch (cause) {
    throw new AbiError(`data that does not encode ${types.map(({ type }) => type).join(', ')}`, { cause })
  }
}

/** Bytes that may be read more than once in one decoding. */
const MAX_READ_AGAIN = 640_000

/**
 * Data that ends a decoding which reads too much of it. ox limits how often a place is read, not how many bytes: a list of
 * offsets to the same long bytes would fill the memory.
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

/**
 * The type as ox is asked for it. Strings are read as bytes, for ox drops zero bytes in front of a text. Without names a
 * tuple becomes an array.
 */
function plainType({ type, components }: AbiParameter): AbiParameters.Parameter {
  const plain = type.replace(/^string/, 'bytes').replace(/^function/, 'bytes24')
  return components === undefined ? { type: plain } : { type: plain, components: components.map(plainType) }
}

/** The value with its strings, which were read as bytes. What is no UTF-8 becomes U+FFFD. */
function withTexts({ type, components }: AbiParameter, value: unknown): unknown {
  if (type === 'string') return new TextDecoder().decode(fromHex(String(value)))
  if (!Array.isArray(value)) return value
  const item = itemType(type)
  return value.map((each: unknown, index) => {
    const member = item === undefined ? components?.[index] : { type: item, components }
    return member === undefined ? each : withTexts(member, each)
  })
}

/** The type of the items of a list; undefined for what is no list. */
export const itemType = (type: string): string | undefined => /^(.*)\[\d*\]$/.exec(type)?.[1]
