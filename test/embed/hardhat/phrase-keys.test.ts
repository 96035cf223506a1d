/** Keys of a Hardhat config are those that Hardhat itself derives. */

import { createRequire } from 'node:module'
import { expect, test } from '@jest/globals'
import * as walletKeys from 'ethereum-cryptography/hdkey.js'
import { fastDerivation, type DeriveKey } from '../../../lib/embed/hardhat/phrase-keys.ts'

const require = createRequire(import.meta.url)
const { deriveKeyFromMnemonicAndPath: original } = require('hardhat/internal/util/keys-derivation') as {
  deriveKeyFromMnemonicAndPath: DeriveKey
}
const derive = fastDerivation(original, () => walletKeys)

const JUNK = 'test test test test test test test test test test test junk'
const OTHER = 'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about'

test.each<[string, string, string?]>([
  [JUNK, "m/44'/60'/0'/0/0"],
  [` ${JUNK}\n`, "m/44'/60'/0'/0/19"],
  [JUNK, "m/44'/60'/0'/0/20"],
  [JUNK, "m/44'/60'/0'/0/1", 'secret'],
  [JUNK, "m/44'/60'/1'/0/1"],
  [OTHER, "m/44'/60'/0'/0/3"],
  [OTHER, "m/44'/60'/0'/3'"],
  [OTHER, "m/44'/60'/0'/0/3", 'pässphrase'],
])('%j along %s with passphrase %s', (...given) => {
  expect(derive(...given)).toEqual(original(...given))
  expect(derive(...given)).toHaveLength(32)
})

test.each(['one two three', `${JUNK} more`, ''])('the phrase %j is refused as by Hardhat', (phrase) => {
  expect(() => derive(phrase, "m/44'/60'/0'/0/0")).toThrow('Invalid mnemonic')
})
