/**
 * Fork detection data of merged-mining headers: twelve bytes about the ancestors of a block, from which hidden forks can be
 * detected (node-chain 6.5, IP-110).
 */

import { EMPTY_BYTES } from '../../../base/hex.ts'
import { doubleSha256 } from '../../../crypto/sha256.ts'
import type { Ancestry, MergedMiningHeader } from './fields.ts'

/** First block with fork detection data: the first one after seven checkpoints (7 * 64 + 1). */
const FIRST_BLOCK = 449n

/** Heights of checkpoints are multiples of 64; the data covers the last seven. */
const CHECKPOINT_INTERVAL = 64n
const CHECKPOINTS = 7

/** Number of ancestors whose uncles are counted, and the maximum of the count. */
const UNCLE_WINDOW = 32n
const MAX_UNCLES = 255

/** Length of the data, and offsets of its fields. */
const LAYOUT = { bytes: 12, uncles: 7, height: 8 }

/** The ancestry of a genesis block. */
export const NO_ANCESTRY: Ancestry = { checkpoints: [], withUncles: [] }

/** The ancestry of a block whose ancestors in the windows have neither uncles nor a proof of work. */
export const ANCESTRY_WITHOUT_WORK: Ancestry = {
  checkpoints: new Array<number>(CHECKPOINTS).fill(checkpointOf(EMPTY_BYTES)),
  withUncles: [],
}

/** The ancestry of a block's children: that of the block, extended by the block itself. */
export function ancestryAfter({ number, own }: MergedMiningHeader): Ancestry {
  const { ancestry, uncleCount, aux } = own
  const { checkpoints, withUncles } = ancestry
  const recent = withUncles.filter((uncles) => uncles.number > number - UNCLE_WINDOW)
  const isCheckpoint = number % CHECKPOINT_INTERVAL === 0n
  // Most blocks of a local chain have the same ancestry as their parents and share the object.
  if (!isCheckpoint && uncleCount === 0 && recent.length === withUncles.length) return ancestry
  return {
    checkpoints: isCheckpoint
      ? [checkpointOf(aux.header), ...checkpoints].slice(0, CHECKPOINTS)
      : checkpoints,
    withUncles: uncleCount === 0 ? recent : [{ number, uncleCount }, ...recent],
  }
}

/** First byte of the hash of an aux header. In display order it is the last byte. */
function checkpointOf(auxHeader: Uint8Array): number {
  return doubleSha256(auxHeader)[0] ?? 0
}

/** The twelve bytes of a block; empty before block 449. */
export function forkDetectionData(number: bigint, { checkpoints, withUncles }: Ancestry): Uint8Array {
  if (number < FIRST_BLOCK) return EMPTY_BYTES
  const uncles = withUncles.reduce((total, { uncleCount }) => total + uncleCount, 0)
  const data = new Uint8Array(LAYOUT.bytes)
  data.set(checkpoints)
  data[LAYOUT.uncles] = Math.min(uncles, MAX_UNCLES)
  new DataView(data.buffer).setUint32(LAYOUT.height, Number(number))
  return data
}
