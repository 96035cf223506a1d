/** Verifies signatures on the curve P-256 (EIP-7951). */

import { p256 } from '@noble/curves/nist.js'
import { plainView } from '../base/hex.ts'

/** Prefix of an uncompressed point (SEC 1, section 2.3.3). */
const UNCOMPRESSED = 4

/** Whether a key (x and y, 64 bytes) signed a hash with r and s (64 bytes); false if one of them is out of range. */
export function isSignedBy(hash: Uint8Array, signature: Uint8Array, key: Uint8Array): boolean {
  try {
    const point = Uint8Array.of(UNCOMPRESSED, ...key)
    return p256.verify(plainView(signature), plainView(hash), point, { prehash: false, lowS: false })
  } catch {
    return false
  }
}
