import { describe, expect, test } from '@jest/globals'
import { NobleBN254 } from '@ethereumjs/evm'
import { bn254 } from '@noble/curves/bn254.js'
import fc from 'fast-check'
import { bigIntToBytes32, fromHex, toHex } from '../../../../lib/base/hex.ts'
import { bn254Add, bn254Multiply, bn254Pairing } from '../../../../lib/networks/ethereum/precompiles/bn254.ts'
import { runs } from '../../../support/transaction-steps.ts'
import { gasOf, precompileCall, runPrecompile } from '../../../support/precompile-calls.ts'

/** A 32-byte word, without prefix. */
const word = (value: bigint | number) => toHex(bigIntToBytes32(BigInt(value))).slice(2)
const zeros = (bytes: number) => '00'.repeat(bytes)
const refused = expect.objectContaining({ name: 'PrecompileFailure' })

describe('BN254 (EIP-196, EIP-197)', () => {
  const FIELD = 21888242871839275222246405745257275088696311157297823662689037894645226208583n
  const ORDER = 21888242871839275222246405745257275088548364400416034343698204186575808495617n
  const G = word(1) + word(2)
  const MINUS_G = word(1) + word(FIELD - 2n)
  /** Twice the generator. */
  const TWO_G =
    '030644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd3' +
    '15ed738c0e0a7c92e7845f96b2ae9c0a68a6a449e3538fc7ff3ebf7a5a18a2c4'
  /** The generator of the second group, imaginary parts first. */
  const G2 =
    '198e9393920d483a7260bfb731fb5d25f1aa493335a9e71297e485b7aef312c2' +
    '1800deef121f1e76426a00665e5c4479674322d4f75edadd46debd5cd992f6ed' +
    '090689d0585ff075ec9e99ad690c3395bc4b313370b38ef355acdadcd122975b' +
    '12c85ea5db8c6deb4aab71808dcb408fe3d1e7690c43d37b4ce6cc0166fa7daa'

  test.each([
    ['nothing', '', zeros(64)],
    ['a point and missing bytes', G, G],
    ['a point twice', G + G, TWO_G],
    ['a point and its opposite', G + MINUS_G, zeros(64)],
    ['two points and more bytes', `${G}${G}ffff`, TWO_G],
  ])('adds %s', (_case, input, output) => {
    expect(runPrecompile(bn254Add, `0x${input}`)).toBe(`0x${output}`)
    expect(gasOf(bn254Add, `0x${input}`)).toBe(150)
  })

  test.each([
    ['nothing', '', zeros(64)],
    ['a point without a number', G, zeros(64)],
    ['by two', G + word(2), TWO_G],
    ['by the order', G + word(ORDER), zeros(64)],
    ['by more than the order', G + word(ORDER + 2n), TWO_G],
  ])('multiplies %s', (_case, input, output) => {
    expect(runPrecompile(bn254Multiply, `0x${input}`)).toBe(`0x${output}`)
    expect(gasOf(bn254Multiply, `0x${input}`)).toBe(6000)
  })

  test.each([
    ['no pairs', '', 1, 45_000],
    ['one pair', G + G2, 0, 79_000],
    ['a pair and its opposite', G + G2 + MINUS_G + G2, 1, 113_000],
    ['twice, and two opposites', TWO_G + G2 + MINUS_G + G2 + MINUS_G + G2, 1, 147_000],
    ['a point at infinity', zeros(64) + G2, 1, 79_000],
    ['infinity of the second group', G + zeros(128), 1, 79_000],
  ])('pairs %s', (_case, input, output, gas) => {
    expect(runPrecompile(bn254Pairing, `0x${input}`)).toBe(`0x${word(output)}`)
    expect(gasOf(bn254Pairing, `0x${input}`)).toBe(gas)
  })

  test.each([
    ['a sum with an invalid point', bn254Add, word(1) + word(1)],
    ['coordinates outside the field', bn254Add, word(FIELD + 1n) + word(2)],
    ['a product of an invalid point', bn254Multiply, word(1) + word(1) + word(0)],
    ['half a pair', bn254Pairing, G + G2.slice(0, 128)],
    ['a pair with an invalid point', bn254Pairing, word(1) + word(1) + G2],
    [
      'a pair with an invalid point of the second group',
      bn254Pairing,
      G + word(1) + word(1) + word(1) + word(1),
    ],
  ])('rejects %s', (_case, contract, input) => {
    expect(() => runPrecompile(contract, `0x${input}`)).toThrow(refused)
  })

  test('an incomplete pair costs as much as the complete ones', () => {
    expect(gasOf(bn254Pairing, `0x${G}${G2}ff`)).toBe(79_000)
  })
})

test('equals the stock library for points inside and outside the groups', () => {
  const oracle = new NobleBN254()
  const answer = (calculate: () => Uint8Array): string => {
    try {
      return toHex(calculate())
    } catch {
      return 'refused'
    }
  }
  const { G1, G2, fields } = bn254
  const scalar = fc.bigInt({ min: 1n, max: fields.Fr.ORDER - 1n })
  const ofFirst = fc.oneof(
    scalar.map((factor) => G1.Point.BASE.multiply(factor).toAffine()),
    fc.record({ x: scalar, y: scalar }),
  )
  const ofSecond = fc.oneof(
    scalar.map((factor) => G2.Point.BASE.multiply(factor)),
    // On the curve, but almost never in the group, whose cofactor has 254 bits.
    scalar.map((c0) => pointOfTwist({ c0, c1: 1n })),
  )
  const point = ofFirst.map(({ x, y }) => word(x) + word(y))
  const twistPoint = ofSecond.map((second) => {
    const { x, y } = second.toAffine()
    return [x.c1, x.c0, y.c1, y.c0].map(word).join('')
  })
  const input = fc.tuple(point, twistPoint, point, twistPoint)
  fc.assert(
    fc.property(input, ([first, firstTwist, second, secondTwist]) => {
      const sum = fromHex(`0x${first}${second}`)
      const product = fromHex(`0x${first}${second.slice(0, 64)}`)
      const pairs = fromHex(`0x${first}${firstTwist}${second}${secondTwist}`)
      expect(answer(() => bn254Add.run(precompileCall(sum)))).toBe(answer(() => oracle.add(sum)))
      expect(answer(() => bn254Multiply.run(precompileCall(product)))).toBe(answer(() => oracle.mul(product)))
      expect(answer(() => bn254Pairing.run(precompileCall(pairs)))).toBe(answer(() => oracle.pairing(pairs)))
    }),
    runs(30),
  )
})

/** The point of the twist with the first abscissa, from one on, that has one. */
function pointOfTwist(x: { c0: bigint; c1: bigint }): InstanceType<typeof bn254.G2.Point> {
  const { Fp2 } = bn254.fields
  for (let at = x; ; at = Fp2.add(at, Fp2.ONE)) {
    const square = Fp2.add(Fp2.mul(Fp2.sqr(at), at), bn254.G2.Point.CURVE().b)
    try {
      return bn254.G2.Point.fromAffine({ x: at, y: Fp2.sqrt(square) })
    } catch {
      continue
    }
  }
}
