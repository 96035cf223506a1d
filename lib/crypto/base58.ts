/** Encodes and decodes Base58Check, the text form of keys in HD wallets and of addresses on some chains. */

import { createBase58check } from '@scure/base'
import { sha256 } from './sha256.ts'

const base58Check = createBase58check(sha256)

/** Maximum length of a decoded text. Extended keys have 111 characters; decoding time grows with the square of the length. */
const MAX_LETTERS = 200

/** Encodes the bytes, followed by the first four bytes of their double SHA-256, in base 58. */
export const toBase58Check = (payload: Uint8Array): string => base58Check.encode(payload)

/** Decodes the bytes without their checksum; undefined when the checksum is wrong or the text is not base 58. */
export function fromBase58Check(text: string): Uint8Array | undefined {
  if (text.length > MAX_LETTERS) return undefined
  try {
    return base58Check.decode(text)
  } catch {
    return undefined
  }
}
