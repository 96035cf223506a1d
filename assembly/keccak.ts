/** Keccak-256 of a range of memory. The permutation (absorb.ts) is a module of its own that works on the memory of the core. */

import { MAPPINGS } from './layout'
import { copy, isEqual, isZero, reverse } from './words'

/** Absorbs whole blocks; the state lies at address 0. */
// @ts-ignore: decorator
@external('env', 'absorb')
declare function absorb(block: usize, blocks: usize, isContinued: bool): void

/** Length of a block in bytes, and the address of the padded last block (absorb.ts). */
const BLOCK: usize = 136
const LAST_BLOCK: usize = 512

/** Length in bytes of the input for a slot of a mapping: key and position. */
const KEY_AND_POSITION: usize = 64
/** Length of a cache entry in bytes: the two words and their hash. */
const CACHE_ENTRY: usize = 96

/** Writes the hash as a word. Hashes of two words are cached, because contracts often hash the same keys of mappings. */
export function keccak(data: usize, length: usize, word: usize): void {
  if (length != KEY_AND_POSITION) return hashAll(data, length, word)
  const entry = entryOf(data)
  const cached = entry + KEY_AND_POSITION
  if (isEqual(entry, data) && isEqual(entry + 32, data + 32) && !isZero(cached)) return copy(word, cached)
  hashAll(data, length, word)
  copy(entry, data)
  copy(entry + 32, data + 32)
  copy(cached, word)
}

/** Address of the cache entry for two words: one of 256, chosen by their last bytes. */
// @ts-ignore: decorator
@inline
function entryOf(data: usize): usize {
  const hash = (load<u64>(data, 24) ^ rotl<u64>(load<u64>(data, 56), 32)) * 0x9e3779b97f4a7c15
  return <usize>MAPPINGS + <usize>(hash >> 56) * CACHE_ENTRY
}

function hashAll(data: usize, length: usize, word: usize): void {
  const whole = length / BLOCK
  if (whole) absorb(data, whole, false)
  const rest = length - whole * BLOCK
  // Copying no bytes traps too if the source begins beyond the memory.
  if (rest) memory.copy(LAST_BLOCK, data + whole * BLOCK, rest)
  memory.fill(LAST_BLOCK + rest, 0, BLOCK - rest)
  // The padding of Keccak-256, which differs from that of SHA3-256: a one bit, zeros, a one bit.
  store<u8>(LAST_BLOCK + rest, 1)
  store<u8>(LAST_BLOCK + BLOCK - 1, load<u8>(LAST_BLOCK + BLOCK - 1) | 0x80)
  absorb(LAST_BLOCK, 1, whole != 0)
  reverse(word, 0)
}
