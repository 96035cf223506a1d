/** Points of BN254, as EIP-196 and EIP-197 write them: words of 32 bytes, the point at infinity as zeros. */

import { bn254 } from '@noble/curves/bn254.js'
import { bigIntToBytes32, bytesToBigInt } from '../base/hex.ts'

const { G1, G2, fields, pairingBatch } = bn254
type PointOfG1 = InstanceType<typeof G1.Point>
type PointOfG2 = InstanceType<typeof G2.Point>

const WORD = 32
const G1_BYTES = 2 * WORD
const PAIR_BYTES = 6 * WORD

/** Sum of two points, 128 bytes: 64 bytes. @throws Error for what is no point of the curve */
export function addPoints(input: Uint8Array): Uint8Array {
  return written(pointAt(input, 0).add(pointAt(input, G1_BYTES)))
}

/** A point times a number, 96 bytes: 64 bytes. @throws Error for what is no point of the curve */
export function multiplyPoint(input: Uint8Array): Uint8Array {
  const factor = fields.Fr.create(wordAt(input, G1_BYTES))
  return written(pointAt(input, 0).multiplyUnsafe(factor))
}

/** Whether the product of the pairings of some pairs, 192 bytes each, is one. @throws Error for what is no point of its group */
export function isPairingOne(input: Uint8Array): boolean {
  const pairs = Array.from({ length: input.length / PAIR_BYTES }, (_, index) => ({
    g1: pointAt(input, index * PAIR_BYTES),
    g2: twistPointAt(input, index * PAIR_BYTES + G1_BYTES),
  }))
  // Infinity on either side contributes a factor of one.
  const factors = pairs.filter(({ g1, g2 }) => !g1.is0() && !g2.is0())
  return fields.Fp12.eql(pairingBatch(factors), fields.Fp12.ONE)
}

function pointAt(input: Uint8Array, offset: number): PointOfG1 {
  const [x, y] = [elementAt(input, offset), elementAt(input, offset + WORD)]
  if (x === 0n && y === 0n) return G1.Point.ZERO
  const point = G1.Point.fromAffine({ x, y })
  point.assertValidity()
  return point
}

/** The imaginary part of a coordinate stands before the real one. */
function twistPointAt(input: Uint8Array, offset: number): PointOfG2 {
  const at = (index: number): bigint => elementAt(input, offset + index * WORD)
  const [x, y] = [
    { c0: at(1), c1: at(0) },
    { c0: at(3), c1: at(2) },
  ]
  if (fields.Fp2.is0(x) && fields.Fp2.is0(y)) return G2.Point.ZERO
  const point = G2.Point.fromAffine({ x, y })
  // Also that it is of the group of the right order.
  point.assertValidity()
  return point
}

function elementAt(input: Uint8Array, offset: number): bigint {
  const value = wordAt(input, offset)
  if (value >= fields.Fp.ORDER) throw new RangeError(`${value} is no element of the field`)
  return value
}

const wordAt = (input: Uint8Array, offset: number): bigint =>
  bytesToBigInt(input.subarray(offset, offset + WORD))

function written(point: PointOfG1): Uint8Array {
  const output = new Uint8Array(G1_BYTES)
  if (point.is0()) return output
  const { x, y } = point.toAffine()
  output.set(bigIntToBytes32(x), 0)
  output.set(bigIntToBytes32(y), WORD)
  return output
}
