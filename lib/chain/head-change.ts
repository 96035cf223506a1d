/** Changes of the head: paths through the block tree, and what listeners are told. */

import type { ChainEntry } from './chain-entry.ts'

/** A change of the head: blocks that left the chain, newest first, and blocks that joined, oldest first. */
export interface HeadChange {
  readonly removed: readonly ChainEntry[]
  readonly added: readonly ChainEntry[]
}

/** A path through the tree. */
export interface Path {
  /** Number of blocks up to and including the last common ancestor. */
  readonly kept: number
  /** Oldest first. */
  readonly joining: readonly ChainEntry[]
}

/**
 * The change for filters and subscriptions. A direct edit replaces the entry of the head by one with the same block, which is
 * not a change.
 */
export function changeOf(leaving: readonly ChainEntry[], joining: readonly ChainEntry[]): HeadChange {
  // Most changes are a block that follows the head.
  if (leaving.length === 0) return { removed: [], added: joining }
  const entriesOnlyIn = (these: readonly ChainEntry[], those: readonly ChainEntry[]) => {
    const others = new Set(those.map(({ hash }) => hash))
    return these.filter(({ hash }) => !others.has(hash))
  }
  return { removed: entriesOnlyIn(leaving, joining), added: entriesOnlyIn(joining, leaving) }
}
