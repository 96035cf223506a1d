/** Reads, writes and derives extended public keys of HD wallets (BIP-32). Private keys are derived in hd-key.ts. */

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
  /** The first four bytes of the HASH160 of the parent's public key. */
  readonly parentFingerprint: Uint8Array
  /** Child number in four bytes. */
  readonly childNumber: Uint8Array
  /** 32 bytes. */
  readonly chainCode: Uint8Array
  /** x and y, 32 bytes each. */
  readonly point: Uint8Array
}

/** Versions of public keys: `xpub` and `tpub`. */
const VERSIONS = ['0x0488b21e', '0x043587cf'].map(fromHex)

/** Length of an extended key in bytes (BIP-32, "Serialization format"). */
const EXTENDED_KEY_BYTES = 78

/** Maximum characters of an extended key. Longer texts are not decoded. */
const MAX_TEXT = 112

/** Parses an extended public key; undefined if the text is not one. */
export function parseExtendedKey(text: string): ExtendedKey | undefined {
  const bytes = text.length > MAX_TEXT ? undefined : fromBase58Check(text)
  if (bytes?.length !== EXTENDED_KEY_BYTES) return undefined
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
 * Undefined for hardened numbers, at the deepest level, and where BIP-32 defines no child (probability below 2^-127).
 */
export function childOf(key: ExtendedKey, number: number): ExtendedKey | undefined {
  if (number >= FIRST_HARDENED || key.depth === 255) return undefined
  const encoded = curve.encodePoint(key.point)
  const childNumber = new Uint8Array(4)
  new DataView(childNumber.buffer).setUint32(0, number)
  const digest = createHmac('sha512', key.chainCode).update(encoded).update(childNumber).digest()
  const tweak = new Uint8Array(digest.subarray(0, 32))
  // The tweak must be above zero and below the order, as a private key.
  const point = curve.isPrivateKey(tweak) ? curve.addPoints(curve.publicKey(tweak), key.point) : undefined
  if (point === undefined) return undefined
  return {
    version: key.version,
    depth: key.depth + 1,
    parentFingerprint: hash160(encoded).subarray(0, 4),
    childNumber,
    chainCode: new Uint8Array(digest.subarray(32)),
    point,
  }
}
