/** Derives private keys of HD wallets (BIP-32) from a mnemonic (BIP-39). Extended public keys are in extended-key.ts. */

import { createHmac, pbkdf2Sync } from 'node:crypto'
import { bigIntToBytes32, bytesToBigInt } from '../base/hex.ts'
import { SECP256K1_ORDER } from './curve.ts'
import { curve } from './secp256k1.ts'

/** A private key with the data to derive child keys from it. */
export interface HdKey {
  readonly privateKey: Uint8Array
  /** 32 bytes. */
  readonly chainCode: Uint8Array
}

/** From this child number on, the secret comes from the private key (BIP-32, hardened keys). */
export const FIRST_HARDENED = 0x80000000

/** The seed of a mnemonic: 64 bytes (BIP-39, "From mnemonic to seed"). */
export function seedOfMnemonic(mnemonic: string, passphrase = ''): Uint8Array {
  const salt = `mnemonic${passphrase}`.normalize('NFKD')
  return pbkdf2Sync(mnemonic.normalize('NFKD'), salt, 2048, 64, 'sha512')
}

/** The master key of a seed (BIP-32, "Master key generation"). */
export function masterKey(seed: Uint8Array): HdKey {
  return split(createHmac('sha512', 'Bitcoin seed').update(seed).digest())
}

/** Derives along a path such as m/44'/60'/0'/0. */
export function deriveAlong(path: string, master: HdKey): HdKey {
  return path
    .split('/')
    .slice(1)
    .reduce((key, step) => {
      const number = Number.parseInt(step, 10)
      return childKey(key, step.endsWith("'") ? number + FIRST_HARDENED : number)
    }, master)
}

/**
 * Derives one child (BIP-32, CKDpriv). For one number in 2^127 the standard defines no key; the secret is then reduced modulo
 * the order.
 */
export function childKey({ privateKey, chainCode }: HdKey, number: number): HdKey {
  const data = Buffer.alloc(37)
  if (number >= FIRST_HARDENED) data.set(privateKey, 1)
  else data.set(curve.encodePoint(curve.publicKey(privateKey)))
  data.writeUInt32BE(number, 33)
  const child = split(createHmac('sha512', chainCode).update(data).digest())
  const sum = bytesToBigInt(child.privateKey) + bytesToBigInt(privateKey)
  return { privateKey: bigIntToBytes32(sum % SECP256K1_ORDER), chainCode: child.chainCode }
}

function split(secret: Buffer): HdKey {
  return {
    privateKey: new Uint8Array(secret.subarray(0, 32)),
    chainCode: new Uint8Array(secret.subarray(32)),
  }
}
