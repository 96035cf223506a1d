/** Base58 with a check sum: how the auxiliary chain and HD wallets write keys and addresses. */

import { equalBytes } from '../base/hex.ts'
import { doubleSha256 } from './sha256.ts'

/** Digits and letters without those that look alike. */
const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const BASE = BigInt(ALPHABET.length)
const CHECK_BYTES = 4

/** Longest text that is read: extended keys have 111 letters. Reading takes the square of the length. */
const MAX_LETTERS = 200

/** The bytes and four bytes of their double SHA-256, in base 58. */
export function toBase58Check(payload: Uint8Array): string {
  return toBase58(Buffer.concat([payload, doubleSha256(payload).subarray(0, CHECK_BYTES)]))
}

/** What the text says without its check sum; absent when that is wrong, or the text is not in base 58. */
export function fromBase58Check(text: string): Uint8Array | undefined {
  const bytes = fromBase58(text)
  if (bytes === undefined || bytes.length < CHECK_BYTES) return undefined
  const payload = bytes.subarray(0, -CHECK_BYTES)
  const check = doubleSha256(payload).subarray(0, CHECK_BYTES)
  return equalBytes(check, bytes.subarray(-CHECK_BYTES)) ? payload : undefined
}

function toBase58(bytes: Uint8Array): string {
  let text = ''
  for (let rest = BigInt(`0x0${Buffer.from(bytes).toString('hex')}`); rest > 0n; rest /= BASE) {
    text = ALPHABET.charAt(Number(rest % BASE)) + text
  }
  // Zeros in front have no weight in a number: each is written as the digit zero.
  return ALPHABET.charAt(0).repeat(leading(bytes, 0)) + text
}

function fromBase58(text: string): Uint8Array | undefined {
  if (text.length > MAX_LETTERS) return undefined
  let value = 0n
  for (const letter of text) {
    const digit = ALPHABET.indexOf(letter)
    if (digit < 0) return undefined
    value = value * BASE + BigInt(digit)
  }
  const zeros = leading(text, ALPHABET.charAt(0))
  const digits = value === 0n ? '' : value.toString(16)
  const hex = digits.length % 2 === 0 ? digits : `0${digits}`
  return new Uint8Array([...new Uint8Array(zeros), ...Buffer.from(hex, 'hex')])
}

function leading<Item>(items: ArrayLike<Item>, item: Item): number {
  let count = 0
  while (count < items.length && items[count] === item) count++
  return count
}
