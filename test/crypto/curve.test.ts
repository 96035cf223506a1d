import { randomBytes } from 'node:crypto'
import { runInNewContext } from 'node:vm'
import { describe, expect, test } from '@jest/globals'
import { bigIntToBytes32, bytesToBigInt, fromHex, toHex } from '../../lib/base/hex.ts'
import { InvariantError } from '../../lib/base/invariant.ts'
import { Curve, asRecovery } from '../../lib/crypto/curve.ts'
import { javascriptCurve, nativeCurve } from '../../lib/crypto/secp256k1.ts'

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const curves = [nativeCurve(), javascriptCurve()].map((raw) => new Curve(() => raw))
const byName = curves.map((curve) => ({ curve, name: curve.name }))
const random32 = () => new Uint8Array(randomBytes(32))
const one = bigIntToBytes32(1n)

describe.each(byName)('input of $name', ({ curve }) => {
  test.each([
    ['empty', new Uint8Array(0)],
    ['31 bytes', new Uint8Array(31).fill(1)],
    ['33 bytes', new Uint8Array(33).fill(1)],
    ['zero', new Uint8Array(32)],
    ['the order', bigIntToBytes32(ORDER)],
    ['above the order', new Uint8Array(32).fill(255)],
  ])('refuses a private key: %s', (_case, privateKey) => {
    const refused = expect.objectContaining({
      kind: 'invalidParams',
      message: expect.stringContaining('private key'),
    })
    expect(curve.isPrivateKey(privateKey)).toBe(false)
    expect(() => curve.publicKey(privateKey)).toThrow(refused)
    expect(() => curve.sign(random32(), privateKey)).toThrow(refused)
  })

  test.each([1n, ORDER - 1n])('accepts the private key %s', (value) => {
    expect(curve.isPrivateKey(bigIntToBytes32(value))).toBe(true)
    expect(curve.publicKey(bigIntToBytes32(value))).toHaveLength(64)
  })

  test.each([
    ['r zero', new Uint8Array(32), one],
    ['s zero', one, new Uint8Array(32)],
    ['r the order', bigIntToBytes32(ORDER), one],
    ['s the order', one, bigIntToBytes32(ORDER)],
    ['r of 31 bytes', new Uint8Array(31).fill(1), one],
    ['s of 33 bytes', one, new Uint8Array(33).fill(1)],
    // No point of secp256k1 has x = 5.
    ['r on no point', bigIntToBytes32(5n), one],
  ])('refuses a signature with %s', (_case, r, s) => {
    const refused = expect.objectContaining({
      kind: 'invalidParams',
      message: expect.stringContaining('invalid signature'),
    })
    expect(() => curve.recover(random32(), { r, s, recovery: 0 })).toThrow(refused)
    expect(() => curve.recover(random32(), { r, s, recovery: 1 })).toThrow(refused)
  })

  test('refuses a signature whose key would be the point at infinity', () => {
    // With R = G, s = hash: the key is (s G - hash G) / r.
    const r = curve.publicKey(one).slice(0, 32)
    const hash = bigIntToBytes32(12_345n)
    expect(() => curve.recover(hash, { r, s: hash, recovery: 0 })).toThrow(
      expect.objectContaining({ kind: 'invalidParams' }),
    )
    expect(curve.recover(hash, { r, s: hash, recovery: 1 })).toHaveLength(64)
  })

  test.each([0, 31, 33, 64])('refuses a hash of %d bytes', (length) => {
    const hash = new Uint8Array(length)
    expect(() => curve.sign(hash, one)).toThrow(/a hash has 32 bytes/)
    expect(() => curve.recover(hash, { r: one, s: one, recovery: 0 })).toThrow(/a hash has 32 bytes/)
  })

  test.each([2, 3, 27, -1, Number.NaN])('refuses the recovery bit %d', (recovery) => {
    const signature = { r: one, s: one, recovery: recovery as 0 }
    expect(() => curve.recover(random32(), signature)).toThrow(/recovery bit/)
  })

  test.each([
    ['Buffers', (bytes: Uint8Array) => Buffer.from(bytes)],
    ['views into larger buffers', (bytes: Uint8Array) => new Uint8Array([9, ...bytes, 9]).subarray(1, 33)],
    ['arrays of another realm', (bytes: Uint8Array) => runInNewContext('Uint8Array.from(bytes)', { bytes })],
    [
      'subclasses of another realm',
      (bytes: Uint8Array) => runInNewContext('new (class Bytes extends Uint8Array {})(bytes)', { bytes }),
    ],
  ])('accepts %s', (_case, convert) => {
    const [hash, privateKey] = [random32(), random32()]
    const { r, s, recovery } = curve.sign(convert(hash), convert(privateKey))
    expect(toHex(r)).toBe(toHex(curve.sign(hash, privateKey).r))
    const recovered = curve.recover(convert(hash), { r: convert(r), s: convert(s), recovery })
    expect(toHex(recovered)).toBe(toHex(curve.publicKey(convert(privateKey))))
  })

  test('does not change its input and does not share its output', () => {
    const [hash, privateKey] = [random32(), random32()]
    const before = [toHex(hash), toHex(privateKey)]
    const signature = curve.sign(hash, privateKey)
    const text = toHex(signature.r)
    curve.sign(random32(), random32())
    curve.recover(hash, signature)
    expect([toHex(hash), toHex(privateKey), toHex(signature.r)]).toEqual([...before, text])
    expect(bytesToBigInt(signature.r) > 0n).toBe(true)
  })
})

test.each([2n, -1n, 27n, 2n ** 64n])('asRecovery refuses %s', (value) => {
  expect(() => asRecovery(value)).toThrow(expect.objectContaining({ kind: 'invalidParams' }))
})

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
