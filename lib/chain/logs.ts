/** Finds the logs of the chain that match a filter. */

import { NodeError } from '../base/errors.ts'
import { present } from '../base/invariant.ts'
import type { Log } from '../evm/outcome.ts'
import type { Block, Receipt } from './block.ts'
import type { Chain } from './chain.ts'
import type { LogFilter, PlacedLog } from './log-index.ts'

export interface BlockLog extends PlacedLog {
  readonly receipt: Receipt
  readonly block: Block
}

/** Limits of one query: it may exceed the number of blocks or the number of logs, but not both. */
export interface LogLimits {
  readonly blocks: number
  readonly logs: number
}

/** Whether a log matches. A log with fewer topics than the filter has positions does not (geth, eth/filters/filter.go). */
export function matchesLog({ addresses, topics }: LogFilter, log: Log): boolean {
  if (addresses.length > 0 && !addresses.includes(log.address)) return false
  return topics.every((choices, position) => {
    const topic = log.topics[position]
    return topic !== undefined && (choices === undefined || choices.includes(topic))
  })
}

export function logsOfBlock(block: Block, filter: LogFilter): readonly BlockLog[] {
  const matching: BlockLog[] = []
  for (const receipt of block.receipts) {
    receipt.outcome.logs.forEach((log, position) => {
      const logIndex = receipt.firstLogIndex + position
      if (matchesLog(filter, log)) matching.push({ log, logIndex, receipt, block })
    })
  }
  return matching
}

/** Matching logs of the pending block; empty if the filter begins above it. */
export function logsOfPendingBlock(
  block: Block,
  filter: LogFilter & { readonly from?: bigint | undefined },
): readonly BlockLog[] {
  const isBelow = filter.from !== undefined && block.header.number < filter.from
  return isBelow ? [] : logsOfBlock(block, filter)
}

/**
 * Matching logs of a range of blocks, ascending. A range that begins above the head or ends before its start is empty, not
 * an error: clients that poll from the next block on send such ranges.
 * @throws NodeError 'limitExceeded' when the range is longer than the limit and holds too many logs
 */
export function logsOfRange(
  chain: Chain,
  filter: LogFilter,
  range: { readonly from: bigint; readonly to: bigint; readonly limits: LogLimits },
): readonly PlacedLog[] {
  const { from, limits } = range
  const head = chain.head.block.header.number
  const to = range.to < head ? range.to : head
  if (from > to) return []
  const isLong = to - from >= BigInt(limits.blocks)
  const matching: PlacedLog[] = []
  for (const log of matchingLogs(chain, filter, { from, to })) {
    matching.push(log)
    if (isLong && matching.length > limits.logs) {
      throw new NodeError(
        'limitExceeded',
        `query returned more than ${limits.logs} logs in a range of more than ${limits.blocks} blocks: narrow the range or the filter`,
      )
    }
  }
  return matching
}

/** Matching logs of a range: first those of the remote blocks that the chain continues, if there are any, then its own. */
function* matchingLogs(
  chain: Chain,
  filter: LogFilter,
  { from, to }: { readonly from: bigint; readonly to: bigint },
): IterableIterator<PlacedLog> {
  const { remote } = chain
  if (remote !== undefined && from <= remote.last) yield* remote.logs(filter, from, to)
  for (const number of chain.index.logs.candidates(filter, Number(from), Number(to))) {
    const { block } = present(chain.at(BigInt(number)), `block ${number}`)
    yield* logsOfBlock(block, filter)
  }
}
