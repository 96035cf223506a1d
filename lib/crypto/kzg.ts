/** Proofs about polynomials that are known by a commitment only (EIP-4844, consensus-specs deneb/polynomial-commitments). */

import { bls12_381 } from 'ethereum-cryptography/bls.js'
import { bytesToBigInt, toHex } from '../base/hex.ts'

/** Number of points on the curve's groups: values are below it. */
export const KZG_MODULUS = 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001n

/** The secret of Ethereum's ceremony times the generator of the second group (its second monomial there). */
const CEREMONY =
  'b5bfd7dd8cdeb128843bc287230af38926187075cbfbefa81009a2ce615ac53d2914e5870cb452d2afaaab24f3499f72' +
  '185cbfee53492714734429b7b38608e23926c911cceceac9a36851477ba4c60b087041de621000edc98edada20c1def2'

const First = bls12_381.G1.ProjectivePoint
const Second = bls12_381.G2.ProjectivePoint

type FirstPoint = InstanceType<typeof First>
type SecondPoint = InstanceType<typeof Second>

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
  const distance = Second.fromHex(CEREMONY).subtract(Second.BASE.multiplyUnsafe(z))
  const { Fp12 } = bls12_381.fields
  return Fp12.eql(pairing(difference, Second.BASE), pairing(proven, distance))
}

function pointOf(bytes: Uint8Array): FirstPoint | undefined {
  try {
    const point = First.fromHex(toHex(bytes).slice(2))
    point.assertValidity()
    return point
  } catch {
    return undefined
  }
}

/** The pairing, which is one where a point is the neutral one: the library refuses those. */
function pairing(first: FirstPoint, second: SecondPoint) {
  const isNeutral = first.equals(First.ZERO) || second.equals(Second.ZERO)
  return isNeutral ? bls12_381.fields.Fp12.ONE : bls12_381.pairing(first, second)
}
