import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { SCRYPT_COSTS, decryptKey, deriveFromPassphrase, encryptKey } from '../../lib/accounts/key-file.ts'
import { ManualHost } from '../support/node.ts'

const cheap = { n: 2, r: 1, p: 1 }
const anyKey = fc.uint8Array({ minLength: 32, maxLength: 32 })
const anyText = fc.string({ unit: 'binary' })

/** HMAC pads a short key with zeros (RFC 2104), so trailing zeros make no difference. */
const asHmacKey = (text: string): string => text.replace(/\0+$/, '')

describe('a sealed key', () => {
  test('opens only with its passphrase', async () => {
    const { random } = new ManualHost()
    const law = fc.asyncProperty(anyKey, anyText, anyText, async (key, passphrase, other) => {
      const sealed = await encryptKey(key, passphrase, { random, cost: cheap })
      expect(await decryptKey(sealed, passphrase)).toEqual(key)
      const isSame = [other, other.normalize('NFKC')].map(asHmacKey).includes(asHmacKey(passphrase))
      expect((await decryptKey(sealed, other)) === undefined).toBe(!isSame)
    })
    await fc.assert(law, { numRuns: 200 })
  })

  test('does not open after a bit was changed', async () => {
    const { random } = new ManualHost()
    const sealed = await encryptKey(random(32), 'secret', { random, cost: cheap })
    const changed = sealed.ciphertext.with(7, sealed.ciphertext[7]! ^ 1)
    expect(await decryptKey({ ...sealed, ciphertext: changed }, 'secret')).toBeUndefined()
  })

  test('is different each time, even for the same key', async () => {
    const { random } = new ManualHost()
    const seals = [1, 2].map(() => encryptKey(new Uint8Array(32).fill(1), 'secret', { random, cost: cheap }))
    const [one, other] = await Promise.all(seals)
    expect(one!.ciphertext).not.toEqual(other!.ciphertext)
    expect(one!.id).not.toBe(other!.id)
  })
})

describe('a derivation', () => {
  const salt = new TextEncoder().encode('NaCl')
  const pleaseSalt = new TextEncoder().encode('SodiumChloride')

  // RFC 7914, sections 11 and 12.
  test.each([
    ['scrypt', 'password', { kdf: 'scrypt', n: 1024, r: 8, p: 16, dklen: 64, salt } as const, 'fdbabe1c9d34'],
    [
      'scrypt again',
      'pleaseletmein',
      { kdf: 'scrypt', n: 16_384, r: 8, p: 1, dklen: 64, salt: pleaseSalt } as const,
      '7023bdcb3afd',
    ],
    ['PBKDF2', 'Password', { kdf: 'pbkdf2', c: 80_000, dklen: 64, salt } as const, '4ddcd8f60b98'],
  ])('is that of the standard: %s', async (_name, passphrase, derivation, start) => {
    const derived = await deriveFromPassphrase(derivation, passphrase)
    expect(derived).toHaveLength(64)
    expect(Buffer.from(derived).toString('hex').slice(0, 12)).toBe(start)
  })

  test('is the same in JavaScript and OpenSSL', async () => {
    // The bound is n < 2^(16r): JavaScript computes the first, OpenSSL the second.
    const beyond = { kdf: 'scrypt', n: 2 ** 16, r: 1, p: 1, dklen: 32, salt } as const
    const below = { ...beyond, n: 2 ** 15 }
    const { scrypt } = await import('ethereum-cryptography/scrypt.js')
    for (const derivation of [beyond, below]) {
      const expected = await scrypt(new TextEncoder().encode('x'), salt, derivation.n, 1, 1, 32)
      expect(await deriveFromPassphrase(derivation, 'x')).toEqual(new Uint8Array(expected))
    }
  })

  test('of the standard cost has the parameters of geth and ethers', () => {
    expect(SCRYPT_COSTS.standard).toEqual({ n: 262_144, r: 8, p: 1 })
  })
})
