/** Decides which of two chains is canonical. */

import type { Block } from './block.ts'

/**
 * Whether a new block replaces the head (node-chain 6.11): by total difficulty, then by fees and hash. If blocks have no
 * difficulty, the longer chain wins.
 */
export function outweighs(newcomer: Block, head: Block): boolean {
  if (newcomer.totalDifficulty !== head.totalDifficulty) {
    return newcomer.totalDifficulty > head.totalDifficulty
  }
  if (newcomer.totalDifficulty === 0n) return newcomer.header.number > head.header.number
  const [fees, rival] = [newcomer.header.paidFees, head.header.paidFees]
  // Hashes have the same length and case, so their strings compare like their bytes.
  return fees > 2n * rival || (rival < 2n * fees && newcomer.hash < head.hash)
}
