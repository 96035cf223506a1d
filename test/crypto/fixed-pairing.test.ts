import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { bigIntToBytes32 } from '../../lib/base/hex.ts'
import { blsField, bls12381 } from '../../lib/crypto/bls12-381.ts'
import { FixedPairing } from '../../lib/crypto/fixed-pairing.ts'
import { KZG_MODULUS } from '../../lib/crypto/kzg-setup.ts'
import { SIZE } from '../../lib/crypto/mcl.ts'

const curve = bls12381()
const { mcl } = curve
const pairing = new FixedPairing(mcl, blsField())

/** Multiples of a point of each group. */
const multiple = (group: 'G1' | 'G2', factor: bigint): number => {
  const [point, scalar] = [mcl.take(SIZE.g2), mcl.take(SIZE.fr)]
  mcl.run(`mclBn${group}_hashAndMapTo`, point, mcl.put(Uint8Array.of(1)), 1)
  curve.readScalar(bigIntToBytes32(factor), scalar)
  mcl.run(`mclBn${group}_mul`, point, point, scalar)
  return point
}

const FIXED = [1n, 3n, 2n ** 200n + 77n]
const prepared = FIXED.map((factor) => ({ factor, lines: pairing.linesOf(multiple('G2', factor)) }))

const scalar = fc.oneof(
  fc.constantFrom(0n, 1n, KZG_MODULUS - 1n),
  fc.bigInt({ min: 0n, max: KZG_MODULUS - 1n }),
)

/** The factor of the last point for which the product is one. */
const balancing = (factors: readonly bigint[]): bigint => {
  const total = factors.reduce((sum, factor, index) => sum + factor * FIXED[index]!, 0n)
  return (KZG_MODULUS - (total % KZG_MODULUS)) % KZG_MODULUS
}

const isProductOneByMcl = (left: number, right: number, pairs: number): boolean => {
  const product = mcl.take(SIZE.gt)
  mcl.run('mclBn_millerLoopVec', product, left, right, pairs)
  mcl.run('mclBn_finalExp', product, product)
  return mcl.run('mclBnGT_isOne', product) === 1
}

/** Whether the product is one: with prepared points, with points that are not, and as mcl alone calculates it. */
const verdicts = (factors: readonly bigint[]): readonly boolean[] =>
  mcl.scope(() => {
    // The first prepared point has the factor one, so it is the last of the pairs.
    const pairs = factors.map(
      (factor, index) => [multiple('G1', factor), prepared[(index + 1) % 3]!] as const,
    )
    const copies = (points: readonly number[], size: number): number =>
      mcl.put(Buffer.concat(points.map((point) => mcl.bytesAt(point, size))))
    const left = copies(
      pairs.map(([point]) => point),
      SIZE.g1,
    )
    const right = copies(
      pairs.map(([, { factor }]) => multiple('G2', factor)),
      SIZE.g2,
    )
    return [
      pairing.isProductOne(pairs.map(([point, { lines }]) => [point, lines])),
      curve.isProductOne(left, right, pairs.length),
      isProductOneByMcl(left, right, pairs.length),
    ]
  })

test('a product of pairings is one exactly if the products of the factors add up to zero', () => {
  fc.assert(
    fc.property(scalar, scalar, fc.boolean(), (first, second, isBalanced) => {
      const third = balancing([0n, first, second]) + (isBalanced ? 0n : 1n)
      expect(verdicts([first, second, third])).toEqual([isBalanced, isBalanced, isBalanced])
    }),
    { numRuns: 40 },
  )
})

test('a pairing with the point at infinity is one, and one with another point is not', () => {
  expect(verdicts([0n])).toEqual([true, true, true])
  expect(verdicts([1n])).toEqual([false, false, false])
})
