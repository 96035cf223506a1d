/** Decides which of two chains is canonical. */

import type { Block } from './block.ts'

/**
 * Whether a block that does not follow the head replaces it. The greater total difficulty wins. If both are equal, a block with
 * more than twice the fees of the head wins, and one with more than half of them if its hash is lower (network 33, node-chain
 * 6.11; elsewhere the fees are zero, and the head remains). Without difficulty (after the merge), the longer chain wins.
 */
export function outweighs(newcomer: Block, head: Block): boolean {
  if (newcomer.totalDifficulty !== head.totalDifficulty) {
    return newcomer.totalDifficulty > head.totalDifficulty
  }
  if (newcomer.totalDifficulty === 0n) return newcomer.header.number > head.header.number
  const [newFees, headFees] = [newcomer.header.paidFees, head.header.paidFees]
  // Hashes have the same length and case, so their strings compare like their bytes.
  return newFees > 2n * headFees || (headFees < 2n * newFees && newcomer.hash < head.hash)
}
