/** Calculates with points of BN254 for the precompiles (EIP-196, EIP-197). */

import { bigIntToBytes32 } from '../../../base/hex.ts'
import * as curve from '../../../crypto/bn254.ts'
import { PointError } from '../../../crypto/pairing-curve.ts'
import { PrecompileFailure } from '../precompile.ts'

/** Sum of two points, 128 bytes. @throws PrecompileFailure if a point is invalid */
export function addPoints(input: Uint8Array): Uint8Array {
  return failOnInvalidPoint(() => curve.addPoints(input))
}

/** A point times a number, 96 bytes. @throws PrecompileFailure if the point is invalid */
export function multiplyPoint(input: Uint8Array): Uint8Array {
  return failOnInvalidPoint(() => curve.multiplyPoint(input))
}

/** A word: one if the product of the pairings is one, otherwise zero. @throws PrecompileFailure if a point is invalid */
export function checkPairings(input: Uint8Array): Uint8Array {
  return failOnInvalidPoint(() => bigIntToBytes32(curve.isPairingOne(input) ? 1n : 0n))
}

function failOnInvalidPoint(calculate: () => Uint8Array): Uint8Array {
  try {
    return calculate()
  } catch (cause) {
    if (!(cause instanceof PointError)) throw cause
    throw new PrecompileFailure('the coordinates are not a point of BN254', { cause })
  }
}
