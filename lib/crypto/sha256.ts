/** SHA-256, the hash function of the auxiliary chain of merged mining. */

import { hash } from 'node:crypto'

/** Bytes of a hash. */
const LENGTH = 32

/**
 * SHA-256 of the bytes: 32 bytes. One call is twice as fast as a hash object. A result as text is twice as fast again,
 * because Node's buffers lie outside of V8's heap.
 */
export function sha256(data: Uint8Array): Uint8Array {
  const text = hash('sha256', data, 'binary')
  const bytes = new Uint8Array(LENGTH)
  for (let index = 0; index < LENGTH; index++) bytes[index] = text.charCodeAt(index)
  return bytes
}

/** SHA-256 of SHA-256: the hash of blocks and transactions of the auxiliary chain. */
export function doubleSha256(data: Uint8Array): Uint8Array {
  return sha256(sha256(data))
}

/** Hash of two siblings in a Merkle tree of the auxiliary chain. */
export function siblingsHash(left: Uint8Array, right: Uint8Array): Uint8Array {
  return doubleSha256(Buffer.concat([left, right]))
}
