/** Finds the logs of the pending block that a filter has not returned yet. */

import { toHex } from '../../base/hex.ts'
import type { BlockLog } from '../logs.ts'

/** Returns each pending log once while it stays pending. */
export class UnseenPendingLogs {
  #known: ReadonlySet<string> = new Set()

  /** The logs that were not in the previous call. */
  takeUnseen(present: readonly BlockLog[]): readonly BlockLog[] {
    const known = this.#known
    const keyed = present.map((placed) => ({ placed, key: keyOf(placed) }))
    this.#known = new Set(keyed.map(({ key }) => key))
    return keyed.filter(({ key }) => !known.has(key)).map(({ placed }) => placed)
  }
}

/**
 * Identifies a log by its transaction, its position and its content, because a transaction may log other data when it runs in
 * another block.
 */
function keyOf({ log, logIndex, receipt }: BlockLog): string {
  const { address, topics, data } = log
  return [receipt.transaction.hash, logIndex - receipt.firstLogIndex, address, ...topics, toHex(data)].join()
}
