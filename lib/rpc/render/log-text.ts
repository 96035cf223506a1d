/** Renders logs as JSON text, each once, because queries return the same logs many times. */

import { toHex, toQuantity } from '../../base/hex.ts'
import type { PlacedLog } from '../../chain/log-index.ts'
import type { Dialect } from '../../config/dialect.ts'
import type { PolledLog } from '../../filters/filters.ts'
import { renderPendingLog } from './transaction.ts'

/** JSON text of a mined or pending log. */
export function logText(placed: PolledLog, dialect: Dialect): string {
  if (placed.isPending === true) return JSON.stringify(renderPendingLog(placed, dialect))
  return minedLogText(placed)
}

/** JSON text of a mined log, with its block and index. */
export function minedLogText(placed: PolledLog): string {
  return textOf(placed, placeText(placed), placed.removed)
}

/** JSON texts of logs on the chain, in order. Logs of one receipt share the text of their place. */
export function minedLogTexts(found: readonly PlacedLog[]): readonly string[] {
  let last: PlacedLog | undefined
  let place = ''
  return found.map((placed) => {
    // Two blocks that miners make from the same work share receipts.
    if (placed.receipt !== last?.receipt || placed.block !== last.block) place = placeText(placed)
    last = placed
    return textOf(placed, place, false)
  })
}

/** The members of a log as `renderLog` orders them. */
function textOf({ log, logIndex }: PlacedLog, place: string, removed: boolean): string {
  const { address, data, topics } = log
  const topicList = topics.length === 0 ? '' : `"${topics.join('","')}"`
  return `{"logIndex":"${toQuantity(logIndex)}",${place},"address":"${address}","data":"${toHex(data)}","topics":[${topicList}],"removed":${removed}}`
}

/** The members that all logs of a receipt share. */
function placeText({ block: { header, hash }, receipt }: PlacedLog): string {
  const place = {
    blockNumber: toQuantity(header.number),
    blockTimestamp: toQuantity(header.timestamp),
    blockHash: hash,
    transactionHash: receipt.transaction.hash,
    transactionIndex: toQuantity(receipt.index),
  }
  return JSON.stringify(place).slice(1, -1)
}
