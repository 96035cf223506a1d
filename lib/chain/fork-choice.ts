/** Which of two chains counts. */

import type { Block } from './block.ts'

/**
 * Whether a block that is not on the chain takes the head's place (node-chain 6.11): by the difficulty of all blocks up
 * to it, then by fees and hash. Where blocks have no difficulty the longer chain counts.
 */
export function outweighs(newcomer: Block, head: Block): boolean {
  if (newcomer.totalDifficulty !== head.totalDifficulty) {
    return newcomer.totalDifficulty > head.totalDifficulty
  }
  if (newcomer.totalDifficulty === 0n) return newcomer.header.number > head.header.number
  const [fees, rival] = [newcomer.header.paidFees, head.header.paidFees]
  // Hashes have one length and one case, so that their texts compare as their bytes.
  return fees > 2n * rival || (rival < 2n * fees && newcomer.hash < head.hash)
}
