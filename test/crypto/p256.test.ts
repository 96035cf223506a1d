import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { describe, expect, test } from '@jest/globals'
import { p256 } from '@noble/curves/nist.js'
import { bytesToBigInt } from '../../lib/base/hex.ts'
import { isSignedBy } from '../../lib/crypto/p256.ts'

const numberOf = (base64: string | undefined): bigint => bytesToBigInt(Buffer.from(base64!, 'base64url'))

/** A signature by Node's own implementation. */
function signed(text: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x, y } = publicKey.export({ format: 'jwk' })
  const signature = sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' })
  return {
    hash: bytesToBigInt(createHash('sha256').update(text).digest()),
    signature: { r: bytesToBigInt(signature.subarray(0, 32)), s: bytesToBigInt(signature.subarray(32)) },
    key: { x: numberOf(x), y: numberOf(y) },
  }
}

const { Fn, Fp, BASE } = p256.Point
const numberFrom = (...parts: readonly (string | number)[]): bigint =>
  bytesToBigInt(createHash('sha256').update(parts.join()).digest())

/** The definition of SEC 1, section 4.1.4, with the points of noble. */
function isSignedByDefinition(...[hash, { r, s }, key]: Parameters<typeof isSignedBy>): boolean {
  const inverse = Fn.inv(s)
  const point = p256.Point.fromAffine(key)
  const sum = BASE.multiplyUnsafe(Fn.mul(Fn.create(hash), inverse)).add(
    point.multiplyUnsafe(Fn.mul(r, inverse)),
  )
  return !sum.is0() && Fn.create(sum.toAffine().x) === r
}

describe('a signature on P-256', () => {
  test('is valid only for its hash and key', () => {
    const other = signed('other')
    for (const text of ['', 'one', 'two']) {
      const { hash, signature, key } = signed(text)
      expect(isSignedBy(hash, signature, key)).toBe(true)
      expect(isSignedBy(hash + 1n, signature, key)).toBe(false)
      expect(isSignedBy(hash, { ...signature, s: signature.s + 1n }, key)).toBe(false)
      expect(isSignedBy(hash, signature, other.key)).toBe(false)
    }
  })

  test('is invalid if a number is out of range or the key is not a point', () => {
    const { hash, signature, key } = signed('text')
    expect(isSignedBy(hash, { ...signature, r: 0n }, key)).toBe(false)
    expect(isSignedBy(hash, { ...signature, s: 2n ** 256n }, key)).toBe(false)
    expect(isSignedBy(hash, signature, { x: key.x, y: key.y + 1n })).toBe(false)
    expect(isSignedBy(hash, signature, { x: 0n, y: 0n })).toBe(false)
  })

  // The sum of key and multiple of the generator is a doubling, the point at infinity, or the key itself.
  test.each([
    ['any hash', (seed: number) => numberFrom('hash', seed)],
    ['a hash above the order', (seed: number) => 2n ** 256n - BigInt(seed)],
    ['the product of r and the key', (_seed: number, r: bigint, secret: bigint) => Fn.mul(r, secret)],
    ['its negative', (_seed: number, r: bigint, secret: bigint) => Fn.neg(Fn.mul(r, secret))],
    ['zero', () => 0n],
    ['the order', () => Fn.ORDER],
  ])('is verified as defined for %s', (_case, hashOf) => {
    for (let seed = 0; seed < 10; seed++) {
      const secret = Fn.create(numberFrom('key', seed))
      const nonce = Fn.create(numberFrom('nonce', seed))
      const key = BASE.multiply(secret).toAffine()
      const r = Fn.create(BASE.multiply(nonce).toAffine().x)
      const hash = hashOf(seed, r, secret)
      const s = Fn.mul(Fn.inv(nonce), Fn.create(hash + r * secret))
      const signatures = [s, Fn.neg(s), numberFrom('s', seed)].map((value) => ({ r, s: value }))
      for (const signature of signatures.filter(({ s: value }) => value !== 0n)) {
        for (const signer of [key, { x: key.x, y: Fp.neg(key.y) }]) {
          expect(isSignedBy(hash, signature, signer)).toBe(isSignedByDefinition(hash, signature, signer))
        }
      }
    }
  })
})
