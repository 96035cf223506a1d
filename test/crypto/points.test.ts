import { randomBytes } from 'node:crypto'
import { describe, expect, test } from '@jest/globals'
import { bigIntToBytes32, fromHex, toHex } from '../../lib/base/hex.ts'
import { InvariantError } from '../../lib/base/invariant.ts'
import { Curve } from '../../lib/crypto/curve.ts'
import { javascriptCurve, nativeCurve } from '../../lib/crypto/secp256k1.ts'

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const curves = [nativeCurve(), javascriptCurve()].map((raw) => new Curve(() => raw))
const byName = curves.map((curve) => ({ curve, name: curve.name }))
const word = bigIntToBytes32

/** The generator (SEC 2, 2.4.1). */
const G = fromHex(
  '0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798' +
    '483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8',
)

describe.each(byName)('points of $name', ({ curve }) => {
  const times = (factor: bigint) => curve.multiply(G, word(factor))
  const present = (point: Uint8Array | undefined) => {
    if (point === undefined) throw new Error('the point at infinity')
    return point
  }

  test('a product is the public key of its scalar', () => {
    const scalar = new Uint8Array(randomBytes(32))
    expect(curve.multiply(G, scalar)).toEqual(curve.publicKey(scalar))
  })

  test.each([
    [2n, 3n],
    [5n, 5n],
    [1n, ORDER - 2n],
  ])('%d G and %d G make their sum', (left, right) => {
    expect(curve.addPoints(present(times(left)), present(times(right)))).toEqual(times(left + right))
  })

  test('a point and its opposite make the point at infinity, which has no coordinates', () => {
    expect(curve.addPoints(G, present(times(ORDER - 1n)))).toBeUndefined()
  })

  test.each([0n, ORDER])('%d times a point is the point at infinity', (factor) => {
    expect(times(factor)).toBeUndefined()
  })

  test('a scalar above the order counts as its remainder', () => {
    expect(times(ORDER + 7n)).toEqual(times(7n))
  })

  test.each([1n, 2n, 3n, 4n, ORDER - 1n])('%d G is decoded from its encoding', (factor) => {
    const point = present(times(factor))
    expect(curve.encodePoint(point)).toHaveLength(33)
    expect(curve.decodePoint(curve.encodePoint(point))).toEqual(point)
    expect(curve.decodePoint(Uint8Array.of(4, ...point))).toEqual(point)
  })

  test('the generator is encoded with prefix 2, because its y is even', () => {
    expect(toHex(curve.encodePoint(G))).toBe(
      '0x0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798',
    )
  })

  test.each([
    ['nothing', []],
    ['no prefix', G],
    ['a hybrid prefix', [6, ...G]],
    ['an unknown prefix', [5, ...G.subarray(0, 32)]],
    ['zeros', [4, ...new Uint8Array(64)]],
    ['a wrong y', [4, ...G.subarray(0, 32), ...word(1n)]],
    // No point of secp256k1 has x = 5.
    ['an x without a point', [2, ...word(5n)]],
    ['an x outside the field', [2, ...new Uint8Array(32).fill(255)]],
  ])('%s is not a point', (_case, bytes) => {
    expect(curve.decodePoint(Uint8Array.from(bytes))).toBeUndefined()
  })

  test('bytes of a wrong length cause an InvariantError', () => {
    expect(() => curve.encodePoint(G.subarray(1))).toThrow(InvariantError)
  })
})
