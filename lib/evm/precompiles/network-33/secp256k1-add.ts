/** Adds two points of secp256k1 (IP-516). */

import { curve } from '../../../crypto/secp256k1.ts'
import type { Precompile } from '../precompile.ts'
import { pointAt, pointOutput } from './secp256k1-point.ts'
import { WORD, precompileAddress } from '../words.ts'

export const secp256k1Add: Precompile = {
  address: precompileAddress(0x01000016),
  name: 'secp256k1Add',
  maxInput: 4 * WORD,
  gas: () => 150,
  run: ({ input }) => {
    const [left, right] = [pointAt(input, 0), pointAt(input, 2 * WORD)]
    if (left === undefined || right === undefined) return pointOutput(left ?? right)
    return pointOutput(curve.addPoints(left, right))
  },
}
