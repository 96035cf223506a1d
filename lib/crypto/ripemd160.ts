/** RIPEMD-160, of which addresses of the auxiliary chain are made. */

// Node's own may be missing: some builds of OpenSSL keep it among the legacy algorithms.
import { ripemd160 as hash } from 'ethereum-cryptography/ripemd160.js'
import { sha256 } from './sha256.ts'

/** RIPEMD-160 of the bytes: 20 bytes. */
export function ripemd160(data: Uint8Array): Uint8Array {
  // Subclasses and arrays of another realm are refused unless seen through a plain view.
  return hash(new Uint8Array(data.buffer, data.byteOffset, data.byteLength))
}

/** RIPEMD-160 of SHA-256: the hash of keys and scripts on the auxiliary chain. */
export function hash160(data: Uint8Array): Uint8Array {
  return ripemd160(sha256(data))
}
