/** Reads, writes and derives extended public keys of HD wallets (BIP-32). Private keys are in the keystore. */

import { createHmac } from 'node:crypto'
import { equalBytes, fromHex } from '../base/hex.ts'
import { fromBase58Check, toBase58Check } from './base58.ts'
import { FIRST_HARDENED } from './hd-key.ts'
import { hash160 } from './ripemd160.ts'
import { curve } from './secp256k1.ts'

/** A public key with the data to derive child keys from it. */
export interface ExtendedKey {
  /** Four bytes that identify the network. */
  readonly version: Uint8Array
  /** Number of derivations from the master key, from 0 to 255. */
  readonly depth: number
  /** The first four bytes of the hash of the parent's key. */
  readonly parentFingerprint: Uint8Array
  /** Child number in four bytes. */
  readonly childNumber: Uint8Array
  /** 32 bytes. */
  readonly chainCode: Uint8Array
  /** The point: 64 bytes. */
  readonly point: Uint8Array
}

/** Versions of public keys: `xpub` and `tpub`. */
const VERSIONS = ['0x0488b21e', '0x043587cf'].map(fromHex)

const KEY_BYTES = 78

/** Longest key as text. Longer texts are not decoded. */
const MAX_TEXT = 112

/** Parses an extended public key; undefined if the text is not one. */
export function parseExtendedKey(text: string): ExtendedKey | undefined {
  const bytes = text.length > MAX_TEXT ? undefined : fromBase58Check(text)
  if (bytes?.length !== KEY_BYTES) return undefined
  const version = bytes.subarray(0, 4)
  const point = curve.decodePoint(bytes.subarray(45))
  if (point === undefined || !VERSIONS.some((known) => equalBytes(known, version))) return undefined
  return {
    version,
    depth: bytes[4] ?? 0,
    parentFingerprint: bytes.subarray(5, 9),
    childNumber: bytes.subarray(9, 13),
    chainCode: bytes.subarray(13, 45),
    point,
  }
}

/** The key as text. */
export function writeExtendedKey(key: ExtendedKey): string {
  const { version, depth, parentFingerprint, childNumber, chainCode, point } = key
  const parts = [version, Uint8Array.of(depth), parentFingerprint, childNumber, chainCode]
  return toBase58Check(new Uint8Array(Buffer.concat([...parts, curve.encodePoint(point)])))
}

/**
 * Derives the child with a number below 2^31 (BIP-32, CKDpub).
 * Undefined at the deepest level, and for one number in 2^127.
 */
export function childOf(key: ExtendedKey, number: number): ExtendedKey | undefined {
  if (number >= FIRST_HARDENED || key.depth === 255) return undefined
  const encoded = curve.encodePoint(key.point)
  const childNumber = new Uint8Array(4)
  new DataView(childNumber.buffer).setUint32(0, number)
  const secret = createHmac('sha512', key.chainCode).update(encoded).update(childNumber).digest()
  const tweak = new Uint8Array(secret.subarray(0, 32))
  const point = curve.isPrivateKey(tweak) ? curve.addPoints(curve.publicKey(tweak), key.point) : undefined
  if (point === undefined) return undefined
  return {
    version: key.version,
    depth: key.depth + 1,
    parentFingerprint: hash160(encoded).subarray(0, 4),
    childNumber,
    chainCode: new Uint8Array(secret.subarray(32)),
    point,
  }
}
