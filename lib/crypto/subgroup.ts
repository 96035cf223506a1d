/**
 * Subgroup checks: test whether points have the right order. mcl's own test is fast for BLS12-381 only. In G2 of BN254 it
 * multiplies by the order, where an endomorphism needs only a multiplication by 63 bits (gnark-crypto, bn254/g2.go).
 */

import { bigIntToBytes } from '../base/hex.ts'
import { SIZE } from './mcl.ts'
import type { Mcl } from './mcl.ts'

/** Whether the point at this address in mcl's memory has the right order. */
export type OrderTest = (mcl: Mcl, at: number) => boolean

/** An element of Fp2: its real and its imaginary part. */
type Extended = readonly [real: bigint, imaginary: bigint]

/** Factors of the coordinates in the endomorphism psi. */
interface Psi {
  readonly x: Extended
  readonly y: Extended
}

/** The parameter of BN254. */
const BN_PARAMETER = 4965661367192848881n

const BN_PSI: Psi = {
  x: [
    0x2fb347984f7911f74c0bec3cf559b143b78cc310c2c3330c99e39557176f553dn,
    0x16c9e55061ebae204ba4cc8bd75a079432ae2a1d0b7c9dce1665d51c640fcba2n,
  ],
  y: [
    0x63cf305489af5dcdc5ec698b6e2f9b9dbaae0eda9c95998dc54014671a0135an,
    0x7c03cbcac41049a0704b5a7ec796f2b21807dc98fa25bd282d37f632623b0e3n,
  ],
}

/** Subgroup check of G1 of BN254, which contains every point of the curve. */
export const isOfBnFirst: OrderTest = () => true

/** Subgroup check of G2 of BN254: (x + 1) Q + psi(x Q) + psi²(x Q) equals psi³(2 x Q), where x is the parameter. */
export const isOfBnSecond: OrderTest = (mcl, at) =>
  mcl.scope(() => {
    const product = multiplied(mcl, at)
    const first = psi(mcl, product)
    const second = psi(mcl, first)
    const third = psi(mcl, second)
    const sum = copied(mcl, at)
    for (const term of [product, first, second]) mcl.run('mclBnG2_add', sum, sum, term)
    mcl.run('mclBnG2_dbl', third, third)
    return mcl.run('mclBnG2_isEqual', sum, third) === 1
  })

/** mcl's own subgroup checks. */
export const isOfOrderByMcl: Readonly<Record<'g1' | 'g2', OrderTest>> = {
  g1: (mcl, at) => mcl.run('mclBnG1_isValidOrder', at) === 1,
  g2: (mcl, at) => mcl.run('mclBnG2_isValidOrder', at) === 1,
}

const copied = (mcl: Mcl, at: number): number => mcl.put(mcl.bytesAt(at, SIZE.g2))

/** A point of BN254 times the parameter, by doubling and adding, because mcl's multiplication assumes the right order. */
function multiplied(mcl: Mcl, at: number): number {
  const product = copied(mcl, at)
  for (const bit of BN_PARAMETER.toString(2).slice(1)) {
    mcl.run('mclBnG2_dbl', product, product)
    if (bit === '1') mcl.run('mclBnG2_add', product, product, at)
  }
  return product
}

/** The endomorphism psi: coordinates are conjugated and multiplied by constants. */
function psi(mcl: Mcl, at: number): number {
  const point = copied(mcl, at)
  for (const coordinate of [0, 1, 2]) {
    const imaginary = point + (2 * coordinate + 1) * SIZE.fp
    mcl.run('mclBnFp_neg', imaginary, imaginary)
  }
  multiplyCoordinate(mcl, point, BN_PSI.x)
  multiplyCoordinate(mcl, point + 2 * SIZE.fp, BN_PSI.y)
  return point
}

function multiplyCoordinate(mcl: Mcl, at: number, [real, imaginary]: Extended): void {
  const factor = mcl.take(2 * SIZE.fp)
  putElement(mcl, real, factor)
  putElement(mcl, imaginary, factor + SIZE.fp)
  mcl.run('mclBnFp2_mul', at, at, factor)
}

function putElement(mcl: Mcl, value: bigint, at: number): void {
  const bytes = bigIntToBytes(value)
  mcl.run('mclBnFp_setBigEndianMod', at, mcl.put(bytes), bytes.length)
}
