/** Renders logs and notifications as JSON text. */

import { toHex, toQuantity } from '../../base/hex.ts'
import type { PlacedLog } from '../../chain/log-index.ts'
import type { Dialect } from '../../config/dialect.ts'
import type { PolledLog } from '../../chain/filters/filters.ts'
import { unreachable } from '../../base/invariant.ts'
import type { Network } from '../../config/network.ts'
import type { ChainEvent } from '../../chain/filters/subscriptions.ts'
import { namedMembers } from '../registry.ts'
import { OWN_FORM } from '../envelope.ts'
import { renderPendingLog, renderPending, renderHeader } from './block.ts'

export function logText(placed: PolledLog, dialect: Dialect): string {
  if (placed.isPending === true) return JSON.stringify(renderPendingLog(placed, dialect))
  return minedLogText(placed)
}

/** JSON text of a mined log, with its block and index. */
export const minedLogText = (placed: PolledLog): string => textOf(placed, placeText(placed), placed.removed)

/** JSON texts of logs on the chain, in order. Logs of one receipt share the text of their place. */
export function minedLogTexts(logs: readonly PlacedLog[]): readonly string[] {
  let last: PlacedLog | undefined
  let place = ''
  return logs.map((placed) => {
    // Blocks that miners make from the same work share receipts.
    if (placed.receipt !== last?.receipt || placed.block !== last.block) place = placeText(placed)
    last = placed
    return textOf(placed, place, false)
  })
}

/** A log's members in the order of `renderLog`. */
function textOf({ log, logIndex }: PlacedLog, place: string, removed: boolean): string {
  const { address, data, topics } = log
  const topicList = topics.length === 0 ? '' : `"${topics.join('","')}"`
  return `{"logIndex":"${toQuantity(logIndex)}",${place},"address":"${address}","data":"${toHex(data)}","topics":[${topicList}],"removed":${removed}}`
}

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

/** Writes chain events as notifications (geth, rpc/subscription.go; node-rpc 9). */
export function notificationWriter(network: Network, form = OWN_FORM) {
  const texts = new WeakMap<ChainEvent, string>()
  const resultText = (event: ChainEvent): string => {
    const result = texts.get(event) ?? form.eventText?.(event) ?? textOfEvent(event, network)
    texts.set(event, result)
    return result
  }
  const write = (id: string, event: ChainEvent): string =>
    `{"jsonrpc":"2.0","method":"eth_subscription","params":{"subscription":"${id}","result":${resultText(event)}}}`
  return { resultText, write }
}

function textOfEvent(event: ChainEvent, network: Network): string {
  switch (event.kind) {
    case 'heads':
      return JSON.stringify(
        namedMembers(network.names, renderHeader({ block: event.block, isPending: false })),
      )
    case 'logs':
      return minedLogText(event.log)
    case 'hashes':
      return JSON.stringify(event.transaction.hash)
    case 'transactions':
      return JSON.stringify(renderPending(event.transaction, network.kind.consensus))
    case 'syncing':
      return 'false'
    case 'reverts':
      return JSON.stringify({
        head: { number: toQuantity(event.head.header.number), hash: event.head.hash },
        removed: event.removed.map(({ hash }) => hash),
      })
    default:
      return unreachable(event)
  }
}
