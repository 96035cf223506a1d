/**
 * Decrypts the key of an account. For an account with a passphrase but no key, a fixed value is encrypted in place of the
 * key.
 */

import { NodeError } from '../base/errors.ts'
import type { Address } from '../base/hex.ts'
import { addressOfPrivateKey } from '../crypto/address.ts'
import { curve } from '../crypto/secp256k1.ts'
import { decryptKey } from './encrypted-key.ts'
import type { EncryptedKey } from './encrypted-key.ts'

/** The value that is encrypted in place of a missing key: zero, which is not a valid private key. */
export const NO_KEY = new Uint8Array(32)

/**
 * The key of an account; absent for an account that sends without one.
 * @throws NodeError 'wrongPassphrase'; 'unknownAccount' when the key is that of another account
 */
export async function openKey(
  address: Address,
  encrypted: EncryptedKey,
  passphrase: string,
): Promise<Uint8Array | undefined> {
  const privateKey = await decryptKey(encrypted, passphrase)
  // The first phrase is geth's (keystore/keystore.go, ErrDecrypt).
  if (privateKey === undefined) {
    throw new NodeError(
      'wrongPassphrase',
      `could not decrypt key with given passphrase: not that of ${address}`,
    )
  }
  if (privateKey.every((byte) => byte === 0)) return undefined
  const found = curve.isPrivateKey(privateKey) ? addressOfPrivateKey(privateKey) : 'no account'
  if (found === address) return privateKey
  throw new NodeError(
    'unknownAccount',
    `unknown account ${address}: its keystore file holds the key of ${found}`,
  )
}

/** Returns the key. @throws NodeError 'unknownAccount' if it is undefined */
export function requireKey(address: Address, privateKey: Uint8Array | undefined): Uint8Array {
  if (privateKey !== undefined) return privateKey
  throw new NodeError('unknownAccount', `account ${address} has no key: it can send, and cannot sign`)
}
