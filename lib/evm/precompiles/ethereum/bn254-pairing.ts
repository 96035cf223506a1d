/** Checks whether the product of pairings over BN254 is one (EIP-197), with the gas cost of EIP-1108. */

import { checkPairings } from './bn254.ts'
import { PrecompileFailure } from '../precompile.ts'
import type { Precompile } from '../precompile.ts'
import { precompileAddress } from '../words.ts'

/** Length in bytes of a G1 point (64) and a G2 point (128). */
const PAIR_BYTES = 192

export const bn254Pairing: Precompile = {
  address: precompileAddress(8),
  name: 'bn254Pairing',
  gas: ({ input }) => 45_000 + 34_000 * Math.floor(input.length / PAIR_BYTES),
  run: ({ input }) => {
    if (input.length % PAIR_BYTES !== 0) {
      throw new PrecompileFailure(`input of ${input.length} bytes, expected pairs of ${PAIR_BYTES}`)
    }
    return checkPairings(input)
  },
}
