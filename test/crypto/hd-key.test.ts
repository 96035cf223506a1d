import { describe, expect, test } from '@jest/globals'
import { HDKey } from 'ethereum-cryptography/hdkey.js'
import { mnemonicToSeedSync } from 'ethereum-cryptography/bip39/index.js'
import fc from 'fast-check'
import { fromHex, toHex } from '../../lib/base/hex.ts'
import { childKey, deriveAlong, masterKey, seedOfMnemonic } from '../../lib/crypto/hd-key.ts'

const words = fc.array(fc.stringMatching(/^[a-zàéñü]{3,8}$/u), { minLength: 12, maxLength: 12 })
const step = fc
  .tuple(fc.nat(0x7fffffff), fc.constantFrom('', "'"))
  .map(([number, mark]) => `${number}${mark}`)
const path = fc.array(step, { minLength: 1, maxLength: 4 }).map((steps) => ['m', ...steps].join('/'))

describe('private keys of HD wallets', () => {
  test('follow the first vector of BIP-32', () => {
    const master = masterKey(fromHex('0x000102030405060708090a0b0c0d0e0f'))
    expect(toHex(master.privateKey)).toBe(
      '0xe8f32e723decf4051aefac8e2c93c9c5b214313817cdb01a1494b917c8436b35',
    )
    expect(toHex(deriveAlong("m/0'/1/2'/2/1000000000", master).privateKey)).toBe(
      '0x471b76e389e528d6de6d816857e012c5455051cad6660850e58372a6c3e6e7c8',
    )
  })

  test('are those of ethereum-cryptography for any mnemonic and path', () => {
    fc.assert(
      fc.property(words, path, fc.nat(100), (mnemonic, along, index) => {
        const text = mnemonic.join(' ')
        const expected = HDKey.fromMasterSeed(mnemonicToSeedSync(text)).derive(along).deriveChild(index)
        const found = childKey(deriveAlong(along, masterKey(seedOfMnemonic(text))), index)
        expect(toHex(found.privateKey)).toBe(toHex(expected.privateKey!))
      }),
      { numRuns: 25 },
    )
  })
})
