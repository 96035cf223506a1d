/** Logs as JSON text, each rendered once: queries answer the same logs again and again. */

import type { Block } from '../../chain/block.ts'
import type { Dialect } from '../../config/dialect.ts'
import type { PolledLog } from '../../filters/filters.ts'
import { renderLog, renderPendingLog } from './transaction.ts'

/**
 * Texts by block and position of the log in it, of logs that are in the chain. Nothing changes a block, so a text stays
 * true; it goes with the block. Blocks that miners made of the same work share their receipts.
 */
const texts = new WeakMap<Block, string[]>()

/** How the text of a log ends; `removed` is its last member. */
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
