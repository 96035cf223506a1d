/** Computes the target of a difficulty and compares hashes with it. */

import { fromHex, toWord, type Hash } from '../../base/hex.ts'

/** Lower difficulties count as this one, so that the highest of a target's 256 bits is zero (node-chain 6.6). */
const MIN_DIFFICULTY = 3n

/** Maximum hash that meets the difficulty, as a big-endian number (node-chain 6.6; Yellow Paper, 11.5). */
export const targetOf = (difficulty: bigint): Hash =>
  toWord(2n ** 256n / (difficulty < MIN_DIFFICULTY ? MIN_DIFFICULTY : difficulty))

/** Whether a hash of 32 bytes, as a big-endian number, is at or below the target. */
export const meetsTarget = (hash: Uint8Array, target: Hash): boolean =>
  Buffer.compare(hash, fromHex(target)) <= 0
