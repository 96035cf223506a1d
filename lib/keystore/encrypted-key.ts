/** Encrypts and decrypts a private key with the cipher and the MAC of Web3 Secret Storage, version 3. */

import { createCipheriv, createDecipheriv } from 'node:crypto'
import { equalBytes } from '../base/hex.ts'
import type { Host } from '../base/host.ts'
import { keccak256 } from '../crypto/keccak.ts'
import { deriveFromPassphrase } from './key-derivation.ts'
import type { KeyDerivation, ScryptCost } from './key-derivation.ts'

/** An encrypted private key. */
export interface EncryptedKey {
  /** UUID of its keystore file. */
  readonly id: string
  readonly derivation: KeyDerivation
  /** 16 bytes. */
  readonly iv: Uint8Array
  /** 32 bytes. */
  readonly ciphertext: Uint8Array
  /** 32 bytes. */
  readonly mac: Uint8Array
}

/** The only cipher of the format. */
const CIPHER = 'aes-128-ctr'

/** Length of a derived key in bytes: 16 for the cipher, 16 for the MAC. */
const DERIVED_LENGTH = 32

/** Encrypts a private key. */
export async function encryptKey(
  privateKey: Uint8Array,
  passphrase: string,
  { random, cost }: { readonly random: Host['random']; readonly cost: ScryptCost },
): Promise<EncryptedKey> {
  const derivation = { kdf: 'scrypt', ...cost, dklen: DERIVED_LENGTH, salt: random(32) } as const
  const iv = random(16)
  const derived = await deriveFromPassphrase(derivation, passphrase)
  const cipher = createCipheriv(CIPHER, derived.subarray(0, 16), iv)
  const ciphertext = new Uint8Array(cipher.update(privateKey))
  return { id: uuid(random(16)), derivation, iv, ciphertext, mac: macOf(derived, ciphertext) }
}

/** Decrypts a private key; returns undefined if the passphrase is wrong. */
export async function decryptKey(
  encrypted: EncryptedKey,
  passphrase: string,
): Promise<Uint8Array | undefined> {
  // geth uses the passphrase unchanged, ethers its NFKC form. The file may come from either.
  for (const spelling of new Set([passphrase, passphrase.normalize('NFKC')])) {
    const derived = await deriveFromPassphrase(encrypted.derivation, spelling)
    if (!equalBytes(macOf(derived, encrypted.ciphertext), encrypted.mac)) continue
    const decipher = createDecipheriv(CIPHER, derived.subarray(0, 16), encrypted.iv)
    return new Uint8Array(decipher.update(encrypted.ciphertext))
  }
  return undefined
}

function macOf(derived: Uint8Array, ciphertext: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(16 + ciphertext.length)
  bytes.set(derived.subarray(16, 32))
  bytes.set(ciphertext, 16)
  return keccak256(bytes)
}

/** Random bytes as a UUID of version 4 (RFC 9562, section 5.4). */
function uuid(bytes: Uint8Array): string {
  const digits = Buffer.from(bytes).toString('hex')
  // The variant is binary 10 and two random bits.
  const variant = '89ab'.charAt(Number(`0x${digits.charAt(16)}`) & 3)
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `4${digits.slice(13, 16)}`,
    `${variant}${digits.slice(17, 20)}`,
    digits.slice(20),
  ].join('-')
}
