/** Selects the uncles of a block of a merged-mining network (node-chain 6.10). */

import { unclesOf } from './block.ts'
import type { ChainEntry } from './chain-entry.ts'
import { isMergedMining } from '../consensus/header-fields.ts'
import type { Header } from '../consensus/header-fields.ts'

/** Maximum number of uncles of a block. */
const MAX_UNCLES = 10

/** Number of ancestors of a block that may be parents of its uncles. */
const GENERATIONS = 7

/**
 * Headers of the uncles of a child of this parent: side blocks whose parents are recent ancestors, and that no recent
 * ancestor has as an uncle yet. Empty on networks without merged mining.
 */
export function unclesAfter(parent: ChainEntry, siblings: Iterable<ChainEntry>): readonly Header[] {
  const known = [...siblings]
  if (known.length === 0 || !isMergedMining(parent.block.header)) return []
  const ancestors = lastOf(parent)
  const hashes = new Set(ancestors.map(({ hash }) => hash))
  const named = new Set(ancestors.flatMap(unclesOf))
  const uncles = known.filter(
    ({ block: { header, hash } }) =>
      // A block of the same height would be a competing block, not an uncle.
      header.number <= parent.block.header.number &&
      hashes.has(header.parentHash) &&
      !hashes.has(hash) &&
      !named.has(hash),
  )
  return uncles.slice(0, MAX_UNCLES).map(({ block }) => block.header)
}

function lastOf(newest: ChainEntry): readonly ChainEntry['block'][] {
  const blocks: ChainEntry['block'][] = []
  for (let entry: ChainEntry | undefined = newest; entry !== undefined; entry = entry.parent) {
    if (blocks.push(entry.block) === GENERATIONS) break
  }
  return blocks
}
