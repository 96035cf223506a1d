/** Which logs of the chain match a filter. */

import type { LogFilter } from './log-filter.ts'
import { NodeError } from '../base/errors.ts'
import { present } from '../base/invariant.ts'
import type { Log } from '../evm/outcome.ts'
import type { Block, Receipt } from './block.ts'
import type { Chain } from './chain.ts'

/** A log at its place in the chain. */
export interface PlacedLog {
  readonly log: Log
  readonly logIndex: number
  readonly receipt: Receipt
  readonly block: Block
}

/** How much one query may touch: a range of whatever length up to so many logs, or so many blocks with however many logs. */
export interface LogLimits {
  readonly blocks: number
  readonly logs: number
}

/** Whether a log matches. */
export function matchesLog({ addresses, topics }: LogFilter, log: Log): boolean {
  if (addresses.length > 0 && !addresses.includes(log.address)) return false
  return topics.every((choices, position) => {
    const topic = log.topics[position]
    return choices === undefined || (topic !== undefined && choices.includes(topic))
  })
}

/** Matching logs of one block, in their order. */
export function logsOfBlock(block: Block, filter: LogFilter): readonly PlacedLog[] {
  return block.receipts.flatMap((receipt) =>
    receipt.outcome.logs
      .map((log, position) => ({ log, logIndex: receipt.firstLogIndex + position, receipt, block }))
      .filter(({ log }) => matchesLog(filter, log)),
  )
}

/** Matching logs of the block that would be mined now; empty where a filter begins above it. */
export function logsOfPendingBlock(
  block: Block,
  filter: LogFilter & { readonly from?: bigint | undefined },
): readonly PlacedLog[] {
  const isBelow = filter.from !== undefined && block.header.number < filter.from
  return isBelow ? [] : logsOfBlock(block, filter)
}

/** What a query looks at of a chain. */
export type LogSource = Pick<Chain, 'at' | 'head' | 'logIndex'>

/**
 * Matching logs of a range of blocks, ascending. None when the range is empty, because it begins beyond the head or
 * ends before it begins: who polls from the next block on asks for such ranges.
 * @throws NodeError 'limitExceeded' when the range is longer than the limit and holds too many logs
 */
export function logsOfRange(
  chain: LogSource,
  filter: LogFilter,
  range: { readonly from: bigint; readonly to: bigint; readonly limits: LogLimits },
): readonly PlacedLog[] {
  const { from, limits } = range
  const head = chain.head.block.header.number
  const to = range.to < head ? range.to : head
  if (from > to) return []
  const isLong = to - from >= BigInt(limits.blocks)
  const found: PlacedLog[] = []
  for (const number of chain.logIndex.candidates(filter, Number(from), Number(to))) {
    const { block } = present(chain.at(BigInt(number)), `block ${number}`)
    for (const log of logsOfBlock(block, filter)) found.push(log)
    if (isLong && found.length > limits.logs) {
      throw new NodeError(
        'limitExceeded',
        `query returned more than ${limits.logs} logs in a range of more than ${limits.blocks} blocks: narrow the range or the filter`,
      )
    }
  }
  return found
}
