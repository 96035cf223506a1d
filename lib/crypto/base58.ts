/** Base58 with a checksum: how the auxiliary chain and HD wallets write keys and addresses (Base58Check). */

import { createBase58check } from '@scure/base'
import { sha256 } from './sha256.ts'

const base58Check = createBase58check(sha256)

/** Longest text that is decoded: extended keys have 111 letters, and decoding takes the square of the length. */
const MAX_LETTERS = 200

/** The bytes and the first four bytes of their double SHA-256, in base 58. */
export const toBase58Check = (payload: Uint8Array): string => base58Check.encode(payload)

/** The bytes without their checksum; undefined when it does not match, or the text is not in base 58. */
export function fromBase58Check(text: string): Uint8Array | undefined {
  if (text.length > MAX_LETTERS) return undefined
  try {
    return base58Check.decode(text)
  } catch {
    return undefined
  }
}
