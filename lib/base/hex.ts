/** Converts bytes, numbers and hex. Addresses and hashes are lower-case hex strings, so that they can be map keys. */

import { InvariantError } from './invariant.ts'

export type Hex = `0x${string}`

/** A 20-byte address: `0x` and 40 lower-case hex digits. The brand exists in the type only. */
export type Address = Hex & { readonly __brand: 'address' }

/** A 32-byte hash: `0x` and 64 lower-case hex digits. */
export type Hash = Hex & { readonly __brand: 'hash' }

export const EMPTY_BYTES = new Uint8Array(0)

/** V8 keeps arrays of up to this many bytes in its heap. Reading their `buffer` moves them out of it, which is slow. */
const IN_HEAP = 64

/** Buffer for the conversion of short arrays, and the same memory as a plain array. */
const SCRATCH = Buffer.alloc(IN_HEAP)
const SCRATCH_BYTES = plainView(SCRATCH)

/** Two hex digits for each byte, without prefix. */
export function toDigits(bytes: Uint8Array): string {
  if (bytes.length > IN_HEAP) {
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')
  }
  SCRATCH.set(bytes)
  return SCRATCH.toString('hex', 0, bytes.length)
}

/** Hex of bytes, two digits each; `0x` for none. */
export const toHex = (bytes: Uint8Array): Hex => `0x${toDigits(bytes)}`

export function fromHex(hex: string): Uint8Array {
  const length = (hex.length - 2) >> 1
  if (length <= 0) return EMPTY_BYTES
  if (length > IN_HEAP) return plainView(Buffer.from(hex.slice(2), 'hex'))
  // A new Buffer would keep its pool of some kilobytes in memory for one hash.
  SCRATCH.write(hex.slice(2), 'hex')
  return SCRATCH_BYTES.slice(0, length)
}

/** The same memory as a plain `Uint8Array`. Buffer slices share memory, and libraries refuse subclasses and arrays of other realms. */
export function plainView(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** Hex QUANTITY: no leading zeros, `0x0` for zero. */
export const toQuantity = (value: bigint | number): Hex => `0x${value.toString(16)}`

/** Whether the text is `0x` and an even number of hex digits. */
export const isHexData = (text: string): text is Hex => text.length % 2 === 0 && /^0x[0-9a-fA-F]*$/.test(text)

/** Bytes of a text that is `0x` and an even number of hex digits; undefined for another text. */
export function readHex(text: string): Uint8Array | undefined {
  if (text.length <= LONG_TEXT) return isHexData(text) ? fromHex(text) : undefined
  // For a long text a pattern takes twice as long as the conversion, which ends at the first character that is no digit. It
  // would take some beyond ASCII for digits.
  if (!text.startsWith('0x') || Buffer.byteLength(text) > text.length) return undefined
  const bytes = fromHex(text)
  return text.length === 2 + 2 * bytes.length ? bytes : undefined
}

/** Above this number of characters a text is decoded without a pattern. */
const LONG_TEXT = 1024

const isLowerAddress = (text: string): text is Address => /^0x[0-9a-f]{40}$/.test(text)
const isLowerHash = (text: string): text is Hash => /^0x[0-9a-f]{64}$/.test(text)

/** The text as an address; case is ignored. */
export function asAddress(text: string): Address {
  const lower = text.toLowerCase()
  if (isLowerAddress(lower)) return lower
  throw new InvariantError(`${text} is not an address`)
}

export const ZERO_ADDRESS = asAddress(`0x${'00'.repeat(20)}`)

/** The text as a 32-byte hash; case is ignored. */
export function asHash(text: string): Hash {
  const lower = text.toLowerCase()
  if (isLowerHash(lower)) return lower
  throw new InvariantError(`${text} is not a hash`)
}

// Bytes of the right length always give the right text; the length check replaces the pattern on this hot path.
const isSized = <T extends Hex>(text: Hex, length: number): text is T => text.length === length

export function toAddress(bytes: Uint8Array): Address {
  const text = toHex(bytes)
  if (isSized<Address>(text, 42)) return text
  throw new InvariantError(`an address has 20 bytes, not ${bytes.length}`)
}

/** The address in the last 20 bytes of a word or of a hash. */
export const addressIn = (word: Uint8Array): Address => toAddress(word.subarray(12))

export function toHash(bytes: Uint8Array): Hash {
  const text = toHex(bytes)
  if (isSized<Hash>(text, 66)) return text
  throw new InvariantError(`a hash has 32 bytes, not ${bytes.length}`)
}

/** Big-endian unsigned integer; zero for no bytes. */
export const bytesToBigInt = (bytes: Uint8Array): bigint => (bytes.length === 0 ? 0n : BigInt(toHex(bytes)))

/** Minimal big-endian bytes; none for zero. */
export function bigIntToBytes(value: bigint): Uint8Array {
  if (value === 0n) return EMPTY_BYTES
  const digits = value.toString(16)
  return fromHex(digits.length % 2 === 0 ? `0x${digits}` : `0x0${digits}`)
}

/** Minimal big-endian bytes of a signed number that is not negative: a zero byte keeps the top bit clear. */
export function bigIntToSignedBytes(value: bigint): Uint8Array {
  const digits = value.toString(16)
  const even = digits.length % 2 === 0 ? digits : `0${digits}`
  return fromHex(even < '8' ? `0x${even}` : `0x00${even}`)
}

/** 32 big-endian bytes, padded with leading zeros. */
export const bigIntToBytes32 = (value: bigint): Uint8Array =>
  fromHex(`0x${value.toString(16).padStart(64, '0')}`)

/** A 32-byte word as hex DATA. */
export function toWord(value: bigint): Hash {
  const text: Hex = `0x${value.toString(16).padStart(64, '0')}`
  if (isSized<Hash>(text, 66)) return text
  throw new InvariantError(`${value} does not fit a word`)
}

/** The bytes left-padded with zeros to 32; longer input is refused. */
export function padTo32(bytes: Uint8Array): Uint8Array {
  if (bytes.length === 32) return bytes
  if (bytes.length > 32) throw new InvariantError(`${bytes.length} bytes do not fit a word`)
  const word = new Uint8Array(32)
  word.set(bytes, 32 - bytes.length)
  return word
}

/** The bytes without leading zeros. */
export function stripZeros(bytes: Uint8Array): Uint8Array {
  let start = 0
  while (start < bytes.length && bytes[start] === 0) start++
  return start === 0 ? bytes : bytes.subarray(start)
}

export const equalBytes = (left: Uint8Array, right: Uint8Array): boolean =>
  left.length === right.length && Buffer.compare(left, right) === 0
