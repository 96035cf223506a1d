/** Keccak-256 of a range of memory. The permutation is the module of lib/crypto, which works on the memory of the core. */

import { reverse } from './words'

/** Absorbs whole blocks; the state lies at address 0. */
// @ts-ignore: decorator
@external('env', 'absorb')
declare function absorb(block: usize, blocks: usize, isContinued: bool): void

/** Bytes of a block, and the address of the padded last block (KECCAK_MEMORY of lib/crypto/keccak-module.ts). */
const BLOCK: usize = 136
const LAST_BLOCK: usize = 512

/** Writes the hash as a word. */
export function keccak(data: usize, length: usize, word: usize): void {
  const whole = length / BLOCK
  if (whole) absorb(data, whole, false)
  const rest = length - whole * BLOCK
  // Copying no bytes traps too if the source begins beyond the memory.
  if (rest) memory.copy(LAST_BLOCK, data + whole * BLOCK, rest)
  memory.fill(LAST_BLOCK + rest, 0, BLOCK - rest)
  // The padding of Keccak before it became SHA-3: a one bit, zeros, a one bit.
  store<u8>(LAST_BLOCK + rest, 1)
  store<u8>(LAST_BLOCK + BLOCK - 1, load<u8>(LAST_BLOCK + BLOCK - 1) | 0x80)
  absorb(LAST_BLOCK, 1, whole != 0)
  reverse(word, 0)
}
