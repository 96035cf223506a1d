/** Slots of namespaces in the storage (ERC-7201). */

import { bigIntToBytes32, bytesToBigInt } from '../../base/hex.ts'
import { keccak256 } from '../../crypto/keccak.ts'

/** First slot of a namespace (ERC-7201). */
export function namespaceSlot(name: string): bigint {
  const hash = bytesToBigInt(keccak256(Buffer.from(name)))
  return bytesToBigInt(keccak256(bigIntToBytes32(hash - 1n))) & ~0xffn
}
