import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { expect, test } from '@jest/globals'
import { isSignedBy } from '../../lib/crypto/p256.ts'

const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n

/** A signature by Node's own implementation. */
function signed(text: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x, y } = publicKey.export({ format: 'jwk' })
  return {
    hash: createHash('sha256').update(text).digest(),
    signature: sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' }),
    key: Buffer.concat([Buffer.from(x!, 'base64url'), Buffer.from(y!, 'base64url')]),
  }
}

const bytes = (value: bigint) => Buffer.from(value.toString(16).padStart(64, '0'), 'hex')

test('a signature is valid for its hash and key only, with a low and with a high s', () => {
  const other = signed('other')
  for (const text of ['', 'one', 'two']) {
    const { hash, signature, key } = signed(text)
    const [r, s] = [signature.subarray(0, 32), signature.subarray(32)]
    const negated = bytes(ORDER - BigInt(`0x${s.toString('hex')}`))
    expect(isSignedBy(hash, signature, key)).toBe(true)
    expect(isSignedBy(hash, Buffer.concat([r, negated]), key)).toBe(true)
    expect(isSignedBy(other.hash, signature, key)).toBe(false)
    expect(isSignedBy(hash, Buffer.concat([r, r]), key)).toBe(false)
    expect(isSignedBy(hash, signature, other.key)).toBe(false)
  }
})

test('a signature is invalid if a number is out of range or the key is not a point', () => {
  const { hash, signature, key } = signed('text')
  const [r, s] = [signature.subarray(0, 32), signature.subarray(32)]
  const invalid = [0n, ORDER, 2n ** 256n - 1n].map(bytes)
  for (const number of invalid) {
    expect(isSignedBy(hash, Buffer.concat([number, s]), key)).toBe(false)
    expect(isSignedBy(hash, Buffer.concat([r, number]), key)).toBe(false)
  }
  expect(isSignedBy(hash, signature, Buffer.concat([key.subarray(32), key.subarray(0, 32)]))).toBe(false)
  expect(isSignedBy(hash, signature, Buffer.alloc(64))).toBe(false)
})
