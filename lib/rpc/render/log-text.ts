/** Renders logs as JSON text, each once: queries answer the same logs many times. */

import type { Block } from '../../chain/block.ts'
import type { Dialect } from '../../config/dialect.ts'
import type { PolledLog } from '../../filters/filters.ts'
import { renderLog, renderPendingLog } from './transaction.ts'

/**
 * Texts of mined logs by block and by position in the block. Blocks are immutable, so a text stays valid. A receipt is no
 * key, because blocks that miners make from the same work share receipts.
 */
const texts = new WeakMap<Block, string[]>()

/** End of the text of a log; `removed` is its last member. */
const PRESENT = 'false}'
const REMOVED = 'true}'

/** JSON text of a log, at its place in the chain or of the pending block. */
export function logText(placed: PolledLog, dialect: Dialect): string {
  if (placed.isPending === true) return JSON.stringify(renderPendingLog(placed, dialect))
  return minedLogText(placed)
}

/** JSON text of a log at its place in the chain. */
export function minedLogText(placed: PolledLog): string {
  const present = presentText(placed)
  return placed.removed ? `${present.slice(0, -PRESENT.length)}${REMOVED}` : present
}

function presentText(placed: PolledLog): string {
  const { block, logIndex } = placed
  let known = texts.get(block)
  if (known === undefined) texts.set(block, (known = []))
  return (known[logIndex] ??= JSON.stringify(renderLog({ ...placed, removed: false })))
}
