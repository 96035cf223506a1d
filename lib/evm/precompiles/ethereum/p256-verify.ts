/** Verifies a signature on the curve P-256 (EIP-7951). */

import { EMPTY_BYTES, bigIntToBytes32, bytesToBigInt } from '../../../base/hex.ts'
import { isSignedBy } from '../../../crypto/p256.ts'
import type { Precompile } from '../precompile.ts'
import { WORD, bytesAt, precompileAddress } from '../words.ts'

/** Length in bytes of hash, r, s and the two coordinates of the key. */
const INPUT_BYTES = 5 * WORD

/** Returns a word that is one, or no bytes for an invalid signature. */
export const p256Verify: Precompile = {
  address: precompileAddress(0x100),
  name: 'p256Verify',
  gas: () => 6900,
  run: ({ input }) => {
    if (input.length !== INPUT_BYTES) return EMPTY_BYTES
    const word = (index: number) => bytesToBigInt(bytesAt(input, index * WORD, WORD))
    const isValid = isSignedBy(word(0), { r: word(1), s: word(2) }, { x: word(3), y: word(4) })
    return isValid ? bigIntToBytes32(1n) : EMPTY_BYTES
  },
}
