import { describe, expect, test } from '@jest/globals'
import { verifyMessage } from 'ethers'
import fc from 'fast-check'
import { fromHex } from '../../lib/base/hex.ts'
import { addressOfPrivateKey } from '../../lib/crypto/address.ts'
import { messageHash, recoverSigner, signHash } from '../../lib/accounts/signed-data.ts'
import { keyOf } from '../support/signing.ts'

describe('a signature of a message', () => {
  test('lets ethers and this program recover its signer', () => {
    const anyMessage = fc.uint8Array({ maxLength: 200 })
    const law = fc.property(anyMessage, fc.string({ minLength: 1 }), (message, phrase) => {
      const key = keyOf(phrase)
      const signature = signHash(messageHash(message), key)
      const signer = addressOfPrivateKey(key)
      expect(verifyMessage(message, signature).toLowerCase()).toBe(signer)
      expect(recoverSigner(messageHash(message), fromHex(signature))).toBe(signer)
    })
    fc.assert(law, { numRuns: 100 })
  })

  test('may have v of 0 or 1 instead of 27 or 28', () => {
    const hash = messageHash(new Uint8Array(3))
    const signature = fromHex(signHash(hash, keyOf('cow')))
    const other = signature.with(64, signature[64]! - 27)
    expect(recoverSigner(hash, other)).toBe(recoverSigner(hash, signature))
  })

  test.each([
    ['an unknown recovery bit', (signature: Uint8Array) => signature.with(64, 29)],
    ['r of zero', (signature: Uint8Array) => new Uint8Array(65).fill(0, 0, 32).with(64, signature[64]!)],
  ])('is rejected with %s', (_name, spoil) => {
    const hash = messageHash(new Uint8Array(0))
    const spoiled = spoil(fromHex(signHash(hash, keyOf('cow'))))
    expect(() => recoverSigner(hash, spoiled)).toThrow(expect.objectContaining({ kind: 'invalidParams' }))
  })
})
