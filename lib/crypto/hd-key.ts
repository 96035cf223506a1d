/** Keys of HD wallets (BIP-32): private ones from a mnemonic (BIP-39), and extended public ones. */

import { pbkdf2Sync } from 'node:crypto'
import { HDKey } from '@scure/bip32'
import { present } from '../base/invariant.ts'

/** The key from which the accounts of a mnemonic are derived, along a path such as m/44'/60'/0'/0. */
export function parentKey(mnemonic: string, path: string, passphrase = ''): HDKey {
  // BIP-39, "From mnemonic to seed".
  const salt = `mnemonic${passphrase}`.normalize('NFKD')
  const seed = pbkdf2Sync(mnemonic.normalize('NFKD'), salt, 2048, 64, 'sha512')
  return HDKey.fromMasterSeed(new Uint8Array(seed)).derive(path)
}

/** The private key of a child: 32 bytes. */
export const childPrivateKey = (parent: HDKey, number: number): Uint8Array =>
  present(parent.deriveChild(number).privateKey, 'the private key of a child')

/** A public key with the data to derive child keys from it. */
export type ExtendedKey = HDKey

/** Versions of extended keys; public ones begin with `xpub` and `tpub`. */
const VERSIONS = [
  { private: 0x0488ade4, public: 0x0488b21e },
  { private: 0x04358394, public: 0x043587cf },
]

/** Maximum characters of an extended key. Longer texts are not decoded. */
const MAX_TEXT = 112

export function parseExtendedKey(text: string): ExtendedKey | undefined {
  if (text.length > MAX_TEXT) return undefined
  for (const versions of VERSIONS) {
    try {
      const key = HDKey.fromExtendedKey(text, versions)
      return key.privateKey === null ? key : undefined
    } catch {
      // The text has another version or is not a key.
    }
  }
  return undefined
}

/** The compressed point of a key: 33 bytes. */
export const publicKeyOf = (key: ExtendedKey): Uint8Array => present(key.publicKey, 'a public key')
