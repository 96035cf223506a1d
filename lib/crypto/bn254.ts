/** Arithmetic of BN254 in the encoding of EIP-196 and EIP-197: words of 32 bytes, the point at infinity as zeros. */

import { once } from '../base/once.ts'
import { SIZE, PairingCurve } from './pairing-curve.ts'

const MODULUS = 0x30644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd47n

const G1_BYTES = 64

/** The curve, created at its first use. @throws NodeError 'internal' if mcl is missing */
export const bn254 = once(
  () => new PairingCurve({ curve: 'bn254', modulus: MODULUS, element: 32, imaginaryFirst: true }),
)

/** Multiplies a point by a number (96 bytes); returns 64 bytes. @throws PointError if the point is not on the curve */
export function multiplyPoint(input: Uint8Array): Uint8Array {
  const curve = bn254()
  const { mcl } = curve
  return mcl.scope(() => {
    const point = mcl.take(SIZE.g1)
    const factor = mcl.take(SIZE.fr)
    curve.readPoint('g1', input.subarray(0, G1_BYTES), point)
    curve.readScalar(input.subarray(G1_BYTES), factor)
    mcl.run('mclBnG1_mul', point, point, factor)
    return curve.writePoint('g1', point)
  })
}
