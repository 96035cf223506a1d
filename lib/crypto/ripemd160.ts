/** RIPEMD-160, by which some chains derive addresses from keys and scripts. */

// Node's own function is not used, because some builds of OpenSSL lack this legacy algorithm.
import { ripemd160 as hash } from 'ethereum-cryptography/ripemd160.js'
import { plainView } from '../base/hex.ts'
import { sha256 } from './sha256.ts'

/** RIPEMD-160 of the bytes: 20 bytes. */
export function ripemd160(data: Uint8Array): Uint8Array {
  return hash(plainView(data))
}

/** RIPEMD-160 of SHA-256. */
export const hash160 = (data: Uint8Array): Uint8Array => ripemd160(sha256(data))
