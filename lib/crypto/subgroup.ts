/**
 * Subgroup checks: test whether points have the right order. mcl's own test is fast for BLS12-381 only. In G2 of BN254 it
 * multiplies by the order, where an endomorphism needs only a multiplication by 63 bits (gnark-crypto, bn254/g2.go).
 */

import { bigIntToBytes } from '../base/hex.ts'
import { SIZE } from './mcl.ts'
import type { Mcl } from './mcl.ts'

/** Whether the point at this address in mcl's memory has the right order. */
export type SubgroupCheck = (mcl: Mcl, at: number) => boolean

/** An element of Fp2: its real and its imaginary part. */
type Extended = readonly [real: bigint, imaginary: bigint]

/** Factors of the coordinates in the endomorphism psi. */
interface Psi {
  readonly x: Extended
  readonly y: Extended
}

/** Bits after the first one of the parameter of BN254, and of the absolute value of that of BLS12-381. */
const BN_BITS = bitsOf(4965661367192848881n)
const BLS_BITS = bitsOf(0xd201000000010000n)

/** A cube root of one in the field of BLS12-381. */
const BLS_ROOT = 0x5f19672fdf76ce51ba69c6076a0f77eaddb3a93be6f89688de17d813620a00022e01fffffffefffen

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
export const isInBn254G1: SubgroupCheck = () => true

/** Subgroup check of G2 of BN254: (x + 1) Q + psi(x Q) + psi²(x Q) equals psi³(2 x Q), where x is the parameter. */
export const isInBn254G2: SubgroupCheck = (mcl, at) =>
  mcl.scope(() => {
    const product = multiplied(mcl, 'g2', at, BN_BITS)
    const first = psi(mcl, product)
    const second = psi(mcl, first)
    const third = psi(mcl, second)
    const sum = copied(mcl, at)
    for (const term of [product, first, second]) mcl.run('mclBnG2_add', sum, sum, term)
    mcl.run('mclBnG2_dbl', third, third)
    return mcl.run('mclBnG2_isEqual', sum, third) === 1
  })

/**
 * BLS12-381, first group: x² P equals -φ(P), where x is the parameter and φ multiplies the first coordinate by a root of one
 * (eprint 2021/1130).
 */
export const isInBls12381G1: SubgroupCheck = (mcl, at) =>
  mcl.scope(() => {
    const product = multiplied(mcl, 'g1', multiplied(mcl, 'g1', at, BLS_BITS), BLS_BITS)
    const [image, root] = [mcl.take(SIZE.g1), mcl.take(SIZE.fp)]
    putElement(mcl, BLS_ROOT, root)
    mcl.run('mclBnG1_neg', image, at)
    mcl.run('mclBnFp_mul', image, image, root)
    return mcl.run('mclBnG1_isEqual', product, image) === 1
  })

/** BLS12-381, second group: mcl's own test. */
export const isInBls12381G2: SubgroupCheck = (mcl, at) => mcl.run('mclBnG2_isValidOrder', at) === 1

const copied = (mcl: Mcl, at: number): number => mcl.put(mcl.bytesAt(at, SIZE.g2))

/** A point times a number, by doubling and adding: mcl's multiplication assumes the right order. */
function multiplied(mcl: Mcl, group: 'g1' | 'g2', at: number, bits: readonly number[]): number {
  const [double, add] = group === 'g1' ? ['mclBnG1_dbl', 'mclBnG1_add'] : ['mclBnG2_dbl', 'mclBnG2_add']
  const product = mcl.take(SIZE[group])
  for (const [index, bit] of bits.entries()) {
    mcl.run(double, product, index === 0 ? at : product)
    if (bit === 1) mcl.run(add, product, product, at)
  }
  return product
}

/** Bits after the first one. */
function bitsOf(value: bigint): readonly number[] {
  return Array.from(value.toString(2).slice(1), Number)
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
