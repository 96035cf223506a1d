/** Multiplies a point of secp256k1 by a number (IP-516). */

import { curve } from '../../../crypto/secp256k1.ts'
import type { Precompile } from '../precompile.ts'
import { pointAt, pointOutput } from './secp256k1-point.ts'
import { WORD, bytesAt, precompileAddress } from '../words.ts'

export const secp256k1Multiply: Precompile = {
  address: precompileAddress(0x01000017),
  name: 'secp256k1Multiply',
  maxInput: 3 * WORD,
  gas: () => 3000,
  run: ({ input }) => {
    const point = pointAt(input, 0)
    if (point === undefined) return pointOutput(undefined)
    return pointOutput(curve.multiply(point, bytesAt(input, 2 * WORD, WORD)))
  },
}
