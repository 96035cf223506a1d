/** Encodes values of the elementary types of EIP-712 as words. Structs and arrays are in typed-data.ts. */

import { NodeError } from '../base/errors.ts'
import { bigIntToBytes32, fromHex, isHexData, padTo32 } from '../base/hex.ts'
import { shortJson, shorten } from '../base/shorten.ts'
import { keccak256 } from '../crypto/keccak.ts'

/** Encodes a value of one type as a word of 32 bytes; `path` names the value in errors. */
export type WordOf = (value: unknown, path: string) => Uint8Array

/** The encoder of an elementary type; undefined for other types. */
export function elementary(type: string): WordOf | undefined {
  if (type === 'address') return address
  if (type === 'bool') return bool
  if (type === 'string') return string
  if (type === 'bytes') return bytes
  const [, fixed, sign, bits] = /^(?:bytes([1-9]\d?)|(u?)int([1-9]\d{0,2}))$/.exec(type) ?? []
  if (fixed !== undefined) return Number(fixed) <= 32 ? fixedBytes(Number(fixed)) : undefined
  if (bits === undefined || Number(bits) % 8 !== 0 || Number(bits) > 256) return undefined
  return sign === 'u' ? integer(type, 0n, 2n ** BigInt(bits) - 1n) : signedInteger(type, BigInt(bits))
}

/** The error for a value that does not have its type. */
export const mismatch = (path: string, expected: string, value: unknown): NodeError =>
  new NodeError('invalidParams', `${shorten(path)}: expected ${expected}, got ${shortJson(value)}`)

const address: WordOf = (value, path) => {
  if (typeof value === 'string' && /^0x[0-9a-fA-F]{40}$/.test(value)) return padTo32(fromHex(value))
  throw mismatch(path, 'an address', value)
}

const bool: WordOf = (value, path) => {
  if (typeof value === 'boolean') return bigIntToBytes32(value ? 1n : 0n)
  throw mismatch(path, 'true or false', value)
}

const string: WordOf = (value, path) => {
  if (typeof value === 'string') return keccak256(new TextEncoder().encode(value))
  throw mismatch(path, 'text', value)
}

const bytes: WordOf = (value, path) => {
  if (typeof value === 'string' && isHexData(value)) return keccak256(fromHex(value))
  throw mismatch(path, 'bytes as 0x and an even number of hex digits', value)
}

/** Encodes bytes at the left of the word (EIP-712, "encodeData"). */
function fixedBytes(length: number): WordOf {
  return (value, path) => {
    if (typeof value !== 'string' || !isHexData(value) || value.length !== 2 + 2 * length) {
      throw mismatch(path, `${length} bytes as 0x and ${2 * length} hex digits`, value)
    }
    const word = new Uint8Array(32)
    word.set(fromHex(value))
    return word
  }
}

function integer(type: string, min: bigint, max: bigint): WordOf {
  return (value, path) => {
    const number = readInteger(value)
    if (number === undefined || number < min || number > max) {
      throw mismatch(path, `${type.startsWith('i') ? 'an' : 'a'} ${type}`, value)
    }
    // Negative numbers are in two's complement of 256 bits.
    return bigIntToBytes32(BigInt.asUintN(256, number))
  }
}

function signedInteger(type: string, bits: bigint): WordOf {
  const half = 2n ** (bits - 1n)
  return integer(type, -half, half - 1n)
}

/** Reads a number: a JSON number, or decimal or hex text with an optional sign. */
function readInteger(value: unknown): bigint | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : undefined
  if (typeof value !== 'string') return undefined
  const [, sign, digits] = /^(-?)(0x[0-9a-fA-F]{1,80}|\d{1,80})$/.exec(value) ?? []
  if (digits === undefined) return undefined
  return sign === '-' ? -BigInt(digits) : BigInt(digits)
}
