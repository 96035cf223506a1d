/** Verifies a signature on the curve P-256 (EIP-7951). */

import { EMPTY_BYTES, bigIntToBytes32 } from '../../../base/hex.ts'
import { isSignedBy } from '../../../crypto/p256.ts'
import type { Precompile } from '../precompile.ts'
import { WORD, precompileAddress } from '../words.ts'

/** Length in bytes of hash, r, s and the two coordinates of the key. */
const INPUT_BYTES = 5 * WORD

/** Returns a word that is one, or no bytes for an invalid signature. */
export const p256Verify: Precompile = {
  address: precompileAddress(0x100),
  name: 'p256Verify',
  gas: () => 6900,
  run: ({ input }) => {
    if (input.length !== INPUT_BYTES) return EMPTY_BYTES
    const words = (from: number, to: number) => input.subarray(from * WORD, to * WORD)
    const isValid = isSignedBy(words(0, 1), words(1, 3), words(3, 5))
    return isValid ? bigIntToBytes32(1n) : EMPTY_BYTES
  },
}
