/** A block in the block tree. */

import type { Hash } from '../base/hex.ts'
import type { StateRoot } from '../state/state-root.ts'
import type { Block } from './block.ts'

/** Reserved blocks between an entry and its parent, which are made when they are asked for. */
export interface ReservedBlocks {
  /** The last of them. */
  readonly end: ChainEntry
  /** The block at a height. */
  readonly at: (number: bigint) => ChainEntry | undefined
  /** A block that was made, by its hash. */
  readonly byHash: (hash: Hash) => ChainEntry | undefined
}

/** A block, the state after it, and its parent. */
export interface ChainEntry {
  readonly block: Block
  /** State after the block. Its root differs from the header's after a direct edit of accounts. */
  readonly state: StateRoot
  readonly parent: ChainEntry | undefined
  /** Present when blocks were reserved between the parent and this one. */
  readonly leap?: ReservedBlocks
}
