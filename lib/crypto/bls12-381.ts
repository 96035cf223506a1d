/** The curve BLS12-381 in the encoding of EIP-2537: elements of 64 bytes, the real part of a coordinate first. */

import { once } from '../base/once.ts'
import { SIZE, PairingCurve, type Group } from './pairing-curve.ts'

export const BLS_MODULUS =
  0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaabn

/** The number by which mcl identifies the map to the curve of RFC 9380. */
const RFC_9380 = 5

/** The curve, created at its first use. @throws NodeError 'internal' if mcl is missing */
export const bls12381 = once((): PairingCurve => {
  const curve = new PairingCurve({
    curve: 'bls12-381',
    modulus: BLS_MODULUS,
    element: 64,
    imaginaryFirst: false,
  })
  curve.mcl.run('mclBn_setMapToMode', RFC_9380)
  curve.mcl.run('mclBn_setETHserialization', 1)
  return curve
})

/** Maps an element of Fp to a point of G1, or an element of Fp2 to a point of G2. @throws PointError */
export function mapToPoint(group: Group, input: Uint8Array): Uint8Array {
  const curve = bls12381()
  const { mcl } = curve
  return mcl.scope(() => {
    const element = mcl.take(2 * SIZE.fp)
    const point = mcl.take(SIZE[group])
    curve.readCoordinate(input, element)
    mcl.run(group === 'g1' ? 'mclBnFp_mapToG1' : 'mclBnFp2_mapToG2', point, element)
    return curve.writePoint(group, point)
  })
}
