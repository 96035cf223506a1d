/** Paths through the trie as strings, which V8 stores and compares at a fraction of the cost of typed arrays. */

import { toDigits, fromHex, type Address, type Hash } from '../base/hex.ts'
import { cached } from '../base/once.ts'
import { keccak256InPlace } from '../crypto/keccak.ts'

/** Path through a trie: lower-case hex digits, one per nibble. */
export type Nibbles = string

/** A key of a trie: bytes, or the path of these bytes. */
export type TrieKey = Uint8Array | Nibbles

/** The path of a key. */
export const toNibbles = (key: TrieKey): Nibbles => (typeof key === 'string' ? key : toDigits(key))

/** The nibble at an index of the path: 0 to 15. */
export function nibbleAt(path: Nibbles, index: number): number {
  const code = path.charCodeAt(index)
  // The character codes of the digits: '0' is 48, '9' is 57 and 'a' is 97.
  return code < 58 ? code - 48 : code - 87
}

/** Index of the first difference at or after `start`; the length of the shorter path if the paths do not differ. */
export function firstDifference(left: Nibbles, right: Nibbles, start: number): number {
  const end = Math.min(left.length, right.length)
  let index = start
  while (index < end && left.charCodeAt(index) === right.charCodeAt(index)) index++
  return index
}

/** Hex-prefix encoding of the path from an index to its end (Yellow Paper, appendix C). */
export function hexPrefix(path: Nibbles, start: number, isLeaf: boolean): Uint8Array {
  const isOdd = (path.length - start) % 2 === 1
  const flags = (isLeaf ? 2 : 0) + (isOdd ? 1 : 0)
  return fromHex(`0x${flags}${isOdd ? '' : '0'}${path.slice(start)}`)
}

/**
 * Number of keys that are cached: a transaction asks for that of its sender a dozen times, and a run of empty blocks for those of the
 * 16,382 slots of the ring buffers (evm/system-contracts.ts).
 */
const MAX_CACHED = 32_768

/** Key of an address in the account trie, or of a slot in a storage trie. */
export const hashedKey: (preimage: Address | Hash) => Nibbles = cached(MAX_CACHED, (preimage) =>
  toNibbles(keccak256InPlace(fromHex(preimage))),
)
