/** Reads and writes points of secp256k1 for the precompiles (IP-516). */

import { curve } from '../../../crypto/secp256k1.ts'
import { PrecompileFailure } from '../precompile.ts'
import { WORD, bytesAt } from '../words.ts'

/** Length of a point in bytes: x and y. */
const POINT_BYTES = 2 * WORD

/** The point at a position of the input; undefined for the point at infinity (zeros). @throws PrecompileFailure */
export function pointAt(input: Uint8Array, start: number): Uint8Array | undefined {
  const coordinates = bytesAt(input, start, POINT_BYTES)
  if (coordinates.every((byte) => byte === 0)) return undefined
  const point = curve.decodePoint(Uint8Array.of(4, ...coordinates))
  if (point === undefined) throw new PrecompileFailure('the coordinates are not a point of secp256k1')
  return point
}

/** The encoding of a point. */
export function pointOutput(point: Uint8Array | undefined): Uint8Array {
  return point ?? new Uint8Array(POINT_BYTES)
}
