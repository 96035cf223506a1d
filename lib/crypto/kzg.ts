/** Proofs about polynomials that are known by a commitment only (EIP-4844, consensus-specs deneb/polynomial-commitments). */

import { bls12_381 } from 'ethereum-cryptography/bls.js'
import { bytesToBigInt, toHex } from '../base/hex.ts'
import { SECRET_IN_SECOND_GROUP } from './kzg-ceremony.ts'

/** Number of points on the curve's groups: values are below it. */
export const KZG_MODULUS = 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001n

const First = bls12_381.G1.ProjectivePoint
const Second = bls12_381.G2.ProjectivePoint

/** A point of the first group. */
export type FirstPoint = InstanceType<typeof bls12_381.G1.ProjectivePoint>

/** A point of the second group. */
type SecondPoint = InstanceType<typeof bls12_381.G2.ProjectivePoint>

/** What is claimed: the polynomial of the commitment has this value at this place. */
export interface KzgClaim {
  /** A point of the first group, compressed to 48 bytes, as the proof is. */
  readonly commitment: Uint8Array
  readonly place: Uint8Array
  readonly value: Uint8Array
  readonly proof: Uint8Array
}

/** Whether the claim is proven; false also for what is no point or no number below the modulus. */
export function isKzgProven({ commitment, place, value, proof }: KzgClaim): boolean {
  const [z, y] = [bytesToBigInt(place), bytesToBigInt(value)]
  const [committed, proven] = [pointOf(commitment), pointOf(proof)]
  if (z >= KZG_MODULUS || y >= KZG_MODULUS || committed === undefined || proven === undefined) return false
  const difference = committed.subtract(First.BASE.multiplyUnsafe(y))
  const distance = Second.fromHex(SECRET_IN_SECOND_GROUP).subtract(Second.BASE.multiplyUnsafe(z))
  return arePairingsEqual([difference, Second.BASE], [proven, distance])
}

/** Bytes of a compressed point of the first group. */
const POINT_BYTES = 48

/** A compressed point of the first group; absent where the bytes are none. */
export function pointOf(bytes: Uint8Array): FirstPoint | undefined {
  // The library also reads points with both coordinates.
  if (bytes.length !== POINT_BYTES) return undefined
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
