/** Points of secp256k1 as the contracts that calculate with them read and write them (IP-516). */

import { curve } from '../../../crypto/secp256k1.ts'
import { PrecompileFailure } from '../precompile.ts'
import { WORD, bytesAt } from '../words.ts'

/** Bytes of a point: x and y. */
const POINT_BYTES = 2 * WORD

/** The point at a place of the input; absent: the point at infinity, which is zeros. @throws NativeFailure */
export function pointAt(input: Uint8Array, start: number): Uint8Array | undefined {
  const coordinates = bytesAt(input, start, POINT_BYTES)
  if (coordinates.every((byte) => byte === 0)) return undefined
  const point = curve.decodePoint(Uint8Array.of(4, ...coordinates))
  if (point === undefined) throw new PrecompileFailure('coordinates of no point of secp256k1')
  return point
}

/** The point as it is answered. */
export function pointOutput(point: Uint8Array | undefined): Uint8Array {
  return point ?? new Uint8Array(POINT_BYTES)
}
