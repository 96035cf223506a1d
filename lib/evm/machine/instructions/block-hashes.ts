/** BLOCKHASH and BLOBHASH (Yellow Paper, appendix H.2, 0x40; EIP-4844). */

import type { Hash } from '../../../base/hex.ts'
import type { BlockContext } from '../../block-context.ts'
import { instruction } from '../instruction.ts'

/** Number of recent blocks whose hashes BLOCKHASH returns. */
const RECENT_BLOCKS = 256n

/** BLOCKHASH; zero for a block that is not recent. */
export const blockHash = instruction(0x40, 'BLOCKHASH', [1, 1, 20], {
  prepare: (frame, { block }) => {
    recentHash(block, frame.word(0))
  },
  run: (frame, { block }) => {
    frame.replace(BigInt(recentHash(block, frame.word(0)) ?? 0))
    return undefined
  },
})

function recentHash(block: BlockContext, number: bigint): Hash | undefined {
  const isRecent = number < block.number && number + RECENT_BLOCKS >= block.number
  return isRecent ? block.blockHash(number) : undefined
}

/** BLOBHASH; zero beyond the transaction's blobs. */
export const blobHash = instruction(0x49, 'BLOBHASH', [1, 1, 3], {
  run: (frame, { transaction }) => {
    frame.replace(BigInt(transaction.blobHashes[frame.number(0)] ?? 0))
    return undefined
  },
})
