import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { describe, expect, test } from '@jest/globals'
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

describe('a signature on P-256', () => {
  test('is valid for the hash and the key it was made with, and for no other', () => {
    const other = signed('other')
    for (const text of ['', 'one', 'two']) {
      const { hash, signature, key } = signed(text)
      expect(isSignedBy(hash, signature, key)).toBe(true)
      expect(isSignedBy(hash + 1n, signature, key)).toBe(false)
      expect(isSignedBy(hash, { ...signature, s: signature.s + 1n }, key)).toBe(false)
      expect(isSignedBy(hash, signature, other.key)).toBe(false)
    }
  })

  test('is not valid where a number is out of range or the key is no point', () => {
    const { hash, signature, key } = signed('text')
    expect(isSignedBy(hash, { ...signature, r: 0n }, key)).toBe(false)
    expect(isSignedBy(hash, { ...signature, s: 2n ** 256n }, key)).toBe(false)
    expect(isSignedBy(hash, signature, { x: key.x, y: key.y + 1n })).toBe(false)
    expect(isSignedBy(hash, signature, { x: 0n, y: 0n })).toBe(false)
  })
})
