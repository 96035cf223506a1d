/** Adds two points of BN254 (EIP-196), at the price of EIP-1108. */

import { addPoints } from './bn254.ts'
import type { Precompile } from '../precompile.ts'
import { WORD, bytesAt, precompileAddress } from '../words.ts'

const INPUT_BYTES = 4 * WORD

export const bn254Add: Precompile = {
  address: precompileAddress(6),
  name: 'bn254Add',
  maxInput: INPUT_BYTES,
  gas: () => 150,
  run: ({ input }) => addPoints(bytesAt(input, 0, INPUT_BYTES)),
}
