/**
 * Computes the seeds of ethash epochs, and compares a solution with its target. The mix digest is not verified: that needs
 * a cache of 16 MB and more, which takes seconds to generate.
 */

import { fromHex, toHash, type Hash } from '../../../base/hex.ts'
import { meetsTarget } from '../../consensus/target.ts'
import { keccak256, loadKeccak512 } from '../../../crypto/keccak.ts'

/** Blocks per epoch. */
const EPOCH_LENGTH = 30_000n

/** Later epochs have the seed of this one, two billion blocks from the first, because a chain can begin at any number. */
const LAST_EPOCH = 2n ** 16n

export interface EthashSolution {
  /** Eight bytes. */
  readonly nonce: Uint8Array
  readonly mixDigest: Hash
}

/** Seed hash of the epoch of a block: 32 zero bytes, hashed once per earlier epoch. */
export function seedHash(number: bigint): Hash {
  let seed = new Uint8Array(32)
  const epochs = number / EPOCH_LENGTH
  for (let epoch = 0n; epoch < epochs && epoch < LAST_EPOCH; epoch++) seed = new Uint8Array(keccak256(seed))
  return toHash(seed)
}

/** Whether a solution reaches a target, without a check of its mix digest (ethash, `ethash_quick_check_difficulty`). */
export async function solutionMeetsTarget(
  work: Hash,
  { nonce, mixDigest }: EthashSolution,
  target: Hash,
): Promise<boolean> {
  const keccak512 = await loadKeccak512()
  // The nonce is hashed little-endian (Yellow Paper, appendix J).
  const seed = keccak512(Buffer.concat([fromHex(work), nonce.toReversed()]))
  return meetsTarget(keccak256(Buffer.concat([seed, fromHex(mixDigest)])), target)
}
