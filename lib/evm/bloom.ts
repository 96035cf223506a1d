/** Computes the bloom filter of 2048 bits over logs in receipts and blocks (Yellow Paper 4.3.1; node-chain 9.7). */

import { fromHex } from '../base/hex.ts'
import { keccak256InPlace } from '../crypto/keccak.ts'
import { EMPTY_BLOOM } from './outcome.ts'
import type { Log } from './outcome.ts'

/** The bloom of the addresses and topics of logs. */
export function bloomOf(logs: readonly Log[]): Uint8Array {
  if (logs.length === 0) return EMPTY_BLOOM
  const bloom = new Uint8Array(EMPTY_BLOOM.length)
  for (const { address, topics } of logs) {
    add(bloom, fromHex(address))
    for (const topic of topics) add(bloom, fromHex(topic))
  }
  return bloom
}

/** Sets three bits, whose numbers are the low eleven bits of the hash's first three pairs of bytes. */
function add(bloom: Uint8Array, entry: Uint8Array): void {
  const hash = keccak256InPlace(entry)
  for (let offset = 0; offset < 6; offset += 2) {
    const bit = (((hash[offset] ?? 0) << 8) | (hash[offset + 1] ?? 0)) & 2047
    const byte = bloom.length - 1 - (bit >> 3)
    bloom[byte] = (bloom[byte] ?? 0) | (1 << (bit & 7))
  }
}
