/** Multiplies a point of BN254 by a number (EIP-196), at the price of EIP-1108. */

import { multiplyPoint } from './bn254.ts'
import type { Precompile } from '../precompile.ts'
import { WORD, bytesAt, precompileAddress } from '../words.ts'

const INPUT_BYTES = 3 * WORD

export const bn254Multiply: Precompile = {
  address: precompileAddress(7),
  name: 'bn254Multiply',
  maxInput: INPUT_BYTES,
  gas: () => 6000,
  run: ({ input }) => multiplyPoint(bytesAt(input, 0, INPUT_BYTES)),
}
