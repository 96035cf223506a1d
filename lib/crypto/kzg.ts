/** Checks KZG proofs, which prove that the polynomial of a commitment has the value y at the point z (EIP-4844). */

import { bytesToBigInt } from '../base/hex.ts'
import { KZG_MODULUS, kzgSetup, readCompressed } from './kzg-setup.ts'
import { SIZE } from './mcl.ts'

/** The claim that the polynomial of the commitment has a value (`y` in EIP-4844) at a point (`z`). */
export interface KzgClaim {
  /** A point of G1, compressed to 48 bytes; the proof has the same form. */
  readonly commitment: Uint8Array
  readonly place: Uint8Array
  readonly value: Uint8Array
  readonly proof: Uint8Array
}

/** Whether the proof is valid; false also for an invalid point or a number that is not below the modulus. */
export function isKzgProven({ commitment, place, value, proof }: KzgClaim): boolean {
  if (bytesToBigInt(place) >= KZG_MODULUS || bytesToBigInt(value) >= KZG_MODULUS) return false
  const { curve, powers, pairing, lines } = kzgSetup()
  const { mcl } = curve
  return mcl.scope(() => {
    const [committed, points, factors] = [mcl.take(SIZE.g1), mcl.take(2 * SIZE.g1), mcl.take(2 * SIZE.fr)]
    if (!readCompressed(curve, commitment, committed) || !readCompressed(curve, proof, points)) return false
    // The proof is valid if e(commitment + z proof - y G1, G2) e(-proof, secret G2) is one.
    mcl.run('mclBnG1_neg', points + SIZE.g1, powers)
    curve.readScalar(place, factors)
    curve.readScalar(value, factors + SIZE.fr)
    const [sum, proven] = [mcl.take(SIZE.g1), mcl.take(SIZE.g1)]
    mcl.run('mclBnG1_mulVec', sum, points, factors, 2)
    mcl.run('mclBnG1_add', committed, committed, sum)
    mcl.run('mclBnG1_neg', proven, points)
    return pairing.isProductOne([
      [committed, lines.generator],
      [proven, lines.secret],
    ])
  })
}
