/** SHA-256, which the auxiliary chain of merged mining hashes with. */

import { createHash } from 'node:crypto'

/** SHA-256 of SHA-256: the hash of blocks and transactions of the auxiliary chain. */
export function doubleSha256(data: Uint8Array): Uint8Array {
  const once = createHash('sha256').update(data).digest()
  return new Uint8Array(createHash('sha256').update(once).digest())
}
