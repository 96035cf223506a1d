import { createHash } from 'node:crypto'
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { toHex } from '../../lib/base/hex.ts'
import { InvariantError } from '../../lib/base/invariant.ts'
import { SHA256_BLOCK, finishSha256, midstateOf } from '../../lib/crypto/sha256.ts'

const reference = (message: Uint8Array): string => `0x${createHash('sha256').update(message).digest('hex')}`

describe('SHA-256 that stops between blocks', () => {
  // FIPS 180-4: square roots of the first eight primes.
  test('starts with the state of the standard', () => {
    expect(midstateOf(new Uint8Array(0))).toEqual({ count: 0, state: expect.anything() })
    expect(toHex(midstateOf(new Uint8Array(0)).state)).toBe(
      '0x6a09e667bb67ae853c6ef372a54ff53a510e527f9b05688c1f83d9ab5be0cd19',
    )
  })

  test('equals the hash of node:crypto for every stop', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), fc.nat(), (message, anywhere) => {
        const blocks = anywhere % (Math.floor(message.length / SHA256_BLOCK) + 1)
        const head = message.subarray(0, blocks * SHA256_BLOCK)
        const tail = message.subarray(head.length)
        expect(toHex(finishSha256(midstateOf(head), tail))).toBe(reference(message))
      }),
    )
  })

  // Lengths at which the padding needs another block.
  test.each([0, 1, 55, 56, 63, 64, 119, 120, 127, 128])('hashes %d bytes of 0xff', (length) => {
    const message = new Uint8Array(length).fill(0xff)
    const begun = midstateOf(new Uint8Array(0))
    expect(toHex(finishSha256(begun, message))).toBe(reference(message))
  })

  test('rejects a stop inside a block and a state of a wrong length', () => {
    expect(() => midstateOf(new Uint8Array(65))).toThrow(InvariantError)
    expect(() => finishSha256({ count: 0, state: new Uint8Array(31) }, new Uint8Array(0))).toThrow(
      InvariantError,
    )
  })
})
