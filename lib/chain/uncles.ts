/** Selects the uncles of a block (node-chain 6.10). */

import { uncleHashesOf } from './block.ts'
import type { ChainEntry } from './chain-entry.ts'
import { consensusOfHeader } from '../consensus/consensus-of.ts'
import type { Header } from '../consensus/header-fields.ts'

/** Number of ancestors of a block that may be parents of its uncles. */
const GENERATIONS = 7

/**
 * Headers of the uncles of a child of this parent: side blocks whose parents are recent ancestors, and that no recent
 * ancestor has as an uncle yet. Empty if blocks have no uncles.
 */
export function unclesAfter(parent: ChainEntry, siblings: Iterable<ChainEntry>): readonly Header[] {
  const known = [...siblings]
  const { maxUncles } = consensusOfHeader(parent.block.header)
  if (known.length === 0 || maxUncles === 0) return []
  const ancestors = lastOf(parent)
  const hashes = new Set(ancestors.map(({ hash }) => hash))
  const named = new Set(ancestors.flatMap(uncleHashesOf))
  const uncles = known.filter(
    ({ block: { header, hash } }) =>
      // A block of the same height would be a competing block, not an uncle.
      header.number <= parent.block.header.number &&
      hashes.has(header.parentHash) &&
      !hashes.has(hash) &&
      !named.has(hash),
  )
  return uncles.slice(0, maxUncles).map(({ block }) => block.header)
}

function lastOf(newest: ChainEntry): readonly ChainEntry['block'][] {
  const blocks: ChainEntry['block'][] = []
  for (let entry: ChainEntry | undefined = newest; entry !== undefined; entry = entry.parent) {
    if (blocks.push(entry.block) === GENERATIONS) break
  }
  return blocks
}
