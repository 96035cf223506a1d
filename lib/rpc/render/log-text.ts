/** Renders logs as JSON text, each once, because queries return the same logs many times. */

import type { Block } from '../../chain/block.ts'
import type { Dialect } from '../../config/dialect.ts'
import type { PolledLog } from '../../filters/filters.ts'
import { renderLog, renderPendingLog } from './transaction.ts'

/**
 * Texts of mined logs by block and by log index. Blocks are immutable, so a text stays valid. A receipt cannot be the key,
 * because blocks that miners make from the same work share receipts.
 */
const texts = new WeakMap<Block, string[]>()

/** End of the text of a log; `removed` is its last member. */
const PRESENT = 'false}'
const REMOVED = 'true}'

/** JSON text of a mined or pending log. */
export function logText(placed: PolledLog, dialect: Dialect): string {
  if (placed.isPending === true) return JSON.stringify(renderPendingLog(placed, dialect))
  return minedLogText(placed)
}

/** JSON text of a mined log, with its block and index. */
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
