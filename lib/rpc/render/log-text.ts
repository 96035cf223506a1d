/** Logs as JSON text, each rendered once: queries answer the same logs again and again. */

import type { Receipt } from '../../chain/block.ts'
import type { PolledLog } from '../../filters/filters.ts'
import { renderLog } from './transaction.ts'

/**
 * Texts by receipt and position of the log in it, of logs that are in the chain. A receipt belongs to one block and
 * nothing changes it, so a text stays true; it goes with the receipt.
 */
const texts = new WeakMap<Receipt, string[]>()

/** How the text of a log ends; `removed` is its last member. */
const PRESENT = 'false}'
const REMOVED = 'true}'

/** JSON text of a log at its place in the chain. */
export function logText(placed: PolledLog): string {
  const present = presentText(placed)
  return placed.removed ? `${present.slice(0, -PRESENT.length)}${REMOVED}` : present
}

function presentText(placed: PolledLog): string {
  const { receipt, logIndex } = placed
  let known = texts.get(receipt)
  if (known === undefined) texts.set(receipt, (known = []))
  return (known[logIndex - receipt.firstLogIndex] ??= JSON.stringify(
    renderLog({ ...placed, removed: false }),
  ))
}
