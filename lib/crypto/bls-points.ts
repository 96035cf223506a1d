/** Points of BLS12-381 in the library that works out sums of many points: what the proofs of blobs are checked with. */

import { bls12_381 } from 'ethereum-cryptography/bls.js'
import { toHex } from '../base/hex.ts'

const First = bls12_381.G1.ProjectivePoint
const Second = bls12_381.G2.ProjectivePoint

/** A point of the first group. */
export type FirstPoint = InstanceType<typeof First>
/** A point of the second group. */
export type SecondPoint = InstanceType<typeof Second>

/** A compressed point of the first group; absent where the bytes are none. */
export function pointOf(bytes: Uint8Array): FirstPoint | undefined {
  try {
    const point = First.fromHex(toHex(bytes).slice(2))
    point.assertValidity()
    return point
  } catch {
    return undefined
  }
}

/** Whether two pairs of points have the same pairing. */
export function arePairingsEqual(
  left: readonly [FirstPoint, SecondPoint],
  right: readonly [FirstPoint, SecondPoint],
): boolean {
  return bls12_381.fields.Fp12.eql(pairing(...left), pairing(...right))
}

/** The pairing, which is one where a point is the neutral one: the library refuses those. */
function pairing(first: FirstPoint, second: SecondPoint) {
  const isNeutral = first.equals(First.ZERO) || second.equals(Second.ZERO)
  return isNeutral ? bls12_381.fields.Fp12.ONE : bls12_381.pairing(first, second)
}
