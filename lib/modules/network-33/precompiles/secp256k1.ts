/** The precompiles that add and multiply points of secp256k1 (IP-516). */

import { curve } from '../../../crypto/secp256k1.ts'
import { PrecompileFailure, WORD, bytesAt, precompileAddress } from '../../../evm/precompile.ts'
import type { Precompile } from '../../../evm/precompile.ts'

/** Length of a point in bytes: x and y. */
const POINT_BYTES = 2 * WORD

/** The sum of two points. */
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

/** A point multiplied by a number. */
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

/** The point at a position of the input; undefined for the point at infinity (zeros). @throws PrecompileFailure */
function pointAt(input: Uint8Array, start: number): Uint8Array | undefined {
  const coordinates = bytesAt(input, start, POINT_BYTES)
  if (coordinates.every((byte) => byte === 0)) return undefined
  const point = curve.decodePoint(Uint8Array.of(4, ...coordinates))
  if (point === undefined) throw new PrecompileFailure('the coordinates are not a point of secp256k1')
  return point
}

const pointOutput = (point: Uint8Array | undefined): Uint8Array => point ?? new Uint8Array(POINT_BYTES)
