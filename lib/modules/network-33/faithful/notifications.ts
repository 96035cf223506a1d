/** Notifications of new blocks and logs in the form of the reference node (node-rpc 9). */

import type { ChainEvent } from '../../../chain/filters/subscriptions.ts'
import { renderBlock, renderLog } from '../../../rpc/render/block.ts'

/** Bytes as notifications show them: there is no `0x` without digits. */
const bytes = (data = '0x'): string => (data === '0x' ? '0x00' : data)

/** The result of a notification; undefined for an event that the reference shows as this node does. */
export function eventText(event: ChainEvent): string | undefined {
  if (event.kind === 'logs') {
    // The index counts from the first log of the transaction.
    const logIndex = event.log.logIndex - event.log.receipt.firstLogIndex
    const log = renderLog({ ...event.log, logIndex })
    return JSON.stringify({ ...log, data: bytes(log.data) }, LOG)
  }
  if (event.kind !== 'heads') return undefined
  const block = renderBlock({ block: event.block, isPending: false }, false)
  return JSON.stringify({ ...block, baseEvent: bytes(block.baseEvent ?? undefined) }, HEADER)
}

/** Members in the order of the reference. */
const LOG =
  'logIndex blockNumber blockHash transactionHash transactionIndex address data topics removed'.split(' ')
const HEADER = [
  ...'difficulty extraData gasLimit gasUsed logsBloom miner number parentHash receiptsRoot'.split(' '),
  ...'sha3Uncles stateRoot timestamp transactionsRoot hash baseEvent'.split(' '),
]
