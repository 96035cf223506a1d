/** Checks KZG proofs: that a polynomial, known by its commitment, has a value at a place (EIP-4844). */

import { bytesToBigInt } from '../base/hex.ts'
import { KZG_MODULUS, isProductOfTwoOne, kzgSetup, readCompressed } from './kzg-setup.ts'
import { SIZE } from './mcl.ts'

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
  if (bytesToBigInt(place) >= KZG_MODULUS || bytesToBigInt(value) >= KZG_MODULUS) return false
  const { curve, powers, lines } = kzgSetup()
  const { mcl } = curve
  return mcl.scope(() => {
    const [committed, proven] = [mcl.take(SIZE.g1), mcl.take(SIZE.g1)]
    if (!readCompressed(curve, commitment, committed) || !readCompressed(curve, proof, proven)) return false
    const factor = mcl.take(SIZE.fr)
    const term = mcl.take(SIZE.g1)
    // (commitment - value G + place proof) paired with G, and -proof paired with the secret's point, have the product one.
    curve.readScalar(value, factor)
    mcl.run('mclBnG1_mul', term, powers, factor)
    mcl.run('mclBnG1_sub', committed, committed, term)
    curve.readScalar(place, factor)
    mcl.run('mclBnG1_mul', term, proven, factor)
    mcl.run('mclBnG1_add', committed, committed, term)
    mcl.run('mclBnG1_neg', proven, proven)
    return isProductOfTwoOne(curve, [
      [committed, lines.generator],
      [proven, lines.secret],
    ])
  })
}
