/** Types of the contract ABI that precompiles use, with their encoding, and the codec of lists of them. */

import { bigIntToBytes32, bytesToBigInt, fromHex, padTo32, addressIn, type Address } from '../base/hex.ts'
import { InvariantError } from '../base/invariant.ts'

export interface AbiType<Value = unknown> {
  readonly name: string
  /** Whether the head holds an offset and the value follows the head. */
  readonly isDynamic: boolean
  encode(value: Value): Uint8Array
  /** Reads the value at the reader's position. @throws AbiError */
  decode(reader: AbiReader): Value
}

export type AbiValues<Types extends readonly AbiType[]> = {
  readonly [Index in keyof Types]: Types[Index] extends AbiType<infer Value> ? Value : never
}

/** An integer with a width in bits. `wrap` reduces a number to a width. */
function integer(name: string, bits: number, wrap: (bits: number, value: bigint) => bigint): AbiType<bigint> {
  return {
    name,
    isDynamic: false,
    encode: (value) => bigIntToBytes32(BigInt.asUintN(256, wrap(bits, value))),
    decode: (reader) => {
      const value = wrap(256, reader.number())
      if (wrap(bits, value) !== value) throw new AbiError(`${value} is out of range of ${name}`)
      return value
    },
  }
}

const unsigned = (bits: number): AbiType<bigint> =>
  integer(`uint${bits}`, bits, (width, value) => BigInt.asUintN(width, value))

const signed = (bits: number): AbiType<bigint> =>
  integer(`int${bits}`, bits, (width, value) => BigInt.asIntN(width, value))

export const uint8 = unsigned(8)
export const uint32 = unsigned(32)
export const uint256 = unsigned(256)
export const int64 = signed(64)
export const int256 = signed(256)

/** 20 bytes at the end of a word. Decoding ignores the other bytes, as the reference node does (node-chain 10.2). */
export const address: AbiType<Address> = {
  name: 'address',
  isDynamic: false,
  encode: (value) => padTo32(fromHex(value)),
  decode: (reader) => addressIn(bigIntToBytes32(reader.number())),
}

/** One or zero. Decoding reads the low 32 bits: every number but zero is true (node-chain 10.2). */
export const bool: AbiType<boolean> = {
  name: 'bool',
  isDynamic: false,
  encode: (value) => bigIntToBytes32(value ? 1n : 0n),
  decode: (reader) => BigInt.asUintN(32, reader.number()) !== 0n,
}

/** A type whose numbers decode to 32 bits with a sign, as the reference node reads positions and heights (node-chain 10.2). */
export const cutTo32Bits = (type: AbiType<bigint>): AbiType<bigint> => ({
  ...type,
  decode: (reader) => BigInt.asIntN(32, type.decode(reader)),
})

export const bytes32: AbiType<Uint8Array> = {
  name: 'bytes32',
  isDynamic: false,
  encode: padTo32,
  decode: (reader) => reader.word(),
}

export const bytes: AbiType<Uint8Array> = {
  name: 'bytes',
  isDynamic: true,
  encode: (value) => {
    // Empty bytes have a word too, as the reference node encodes them (node-chain 10.2).
    const encoded = new Uint8Array(WORD + Math.max(1, Math.ceil(value.length / WORD)) * WORD)
    encoded.set(bigIntToBytes32(BigInt(value.length)))
    encoded.set(value, WORD)
    return encoded
  },
  decode: (reader) => reader.take(reader.count()),
}

/** Text in UTF-8. Decoding replaces other bytes by U+FFFD. */
export const string: AbiType<string> = {
  name: 'string',
  isDynamic: true,
  encode: (value) => bytes.encode(new Uint8Array(Buffer.from(value, 'utf8'))),
  decode: (reader) => Buffer.from(bytes.decode(reader)).toString(),
}

export function arrayOf<Value>(item: AbiType<Value>): AbiType<readonly Value[]> {
  return {
    name: `${item.name}[]`,
    isDynamic: true,
    encode: (values) => {
      const items = values.map(() => item)
      return Buffer.concat([bigIntToBytes32(BigInt(values.length)), encodeSequence(items, values)])
    },
    decode: (reader) => {
      const items = Array.from({ length: reader.count() }, () => item)
      return decodeSequence(items, reader.here())
    },
  }
}

/** Encodes the heads, followed by the dynamic values that their offsets point to. */
function encodeSequence(types: readonly AbiType[], values: readonly unknown[]): Uint8Array {
  const heads: Uint8Array[] = []
  const tails: Uint8Array[] = []
  let offset = types.length * WORD
  for (const [index, type] of types.entries()) {
    const { isDynamic } = type
    const content = type.encode(values[index])
    heads.push(isDynamic ? bigIntToBytes32(BigInt(offset)) : content)
    if (!isDynamic) continue
    tails.push(content)
    offset += content.length
  }
  return new Uint8Array(Buffer.concat([...heads, ...tails]))
}

/** Reads the heads and the dynamic values that they point to. @throws AbiError */
const decodeSequence = <Value>(types: readonly AbiType<Value>[], reader: AbiReader): Value[] =>
  types.map((type) => type.decode(type.isDynamic ? reader.follow() : reader))

/** Decodes the values and ignores further data. @throws AbiError */
export function decodeAbi<const Types extends readonly AbiType[]>(
  types: Types,
  data: Uint8Array,
): AbiValues<Types> {
  const values: readonly unknown[] = decodeSequence(types, new AbiReader(data))
  const isComplete = (items: readonly unknown[]): items is AbiValues<Types> => items.length === types.length
  // Always true. The check is for the compiler, to which the values are a list of any length.
  if (isComplete(values)) return values
  throw new InvariantError(`${values.length} values of ${types.length} types`)
}

export function encodeAbi<const Types extends readonly AbiType[]>(
  types: Types,
  values: AbiValues<Types>,
): Uint8Array {
  return encodeSequence(types, values)
}

/** The signature of a name and its types, such as `transfer(address,uint256)`. */
export const signatureOf = (name: string, types: readonly AbiType[]): string =>
  `${name}(${types.map((type) => type.name).join(',')})`

export const WORD = 32

export class AbiError extends Error {
  override readonly name = 'AbiError'
}

export class AbiReader {
  readonly #data: Uint8Array
  /** The position that offsets are relative to. */
  readonly #start: number
  #position: number

  constructor(data: Uint8Array, start = 0) {
    this.#data = data
    this.#start = start
    this.#position = start
  }

  /** Reads a word. @throws AbiError */
  word(): Uint8Array {
    return this.take(WORD)
  }

  /** Reads bytes. @throws AbiError */
  take(length: number): Uint8Array {
    const end = this.#position + length
    if (end > this.#data.length) {
      throw new AbiError(`${this.#data.length} bytes of arguments, expected at least ${end}`)
    }
    const read = this.#data.subarray(this.#position, end)
    this.#position = end
    return read
  }

  /** Reads a number. If there is no data at all, it is zero (node-chain 10.2). @throws AbiError */
  number(): bigint {
    if (this.#data.length > 0) return bytesToBigInt(this.word())
    this.#position += WORD
    return 0n
  }

  /** Reads a number of bytes or items, which cannot exceed the remaining data. @throws AbiError */
  count(): number {
    const count = this.number()
    const left = Math.max(0, this.#data.length - this.#position)
    if (count > BigInt(left)) throw new AbiError(`a length of ${count} where ${left} bytes are left`)
    return Number(count)
  }

  /** Reads an offset, and returns a reader at its target. @throws AbiError */
  follow(): AbiReader {
    const offset = this.number()
    const remaining = this.#data.length - this.#start
    if (offset > BigInt(remaining)) throw new AbiError(`an offset of ${offset} in ${remaining} bytes`)
    return new AbiReader(this.#data, this.#start + Number(offset))
  }

  here(): AbiReader {
    return new AbiReader(this.#data, this.#position)
  }
}
