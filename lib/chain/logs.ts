/** Which logs of the chain match a filter. */

import { NodeError } from '../base/errors.ts'
import { fromHex } from '../base/hex.ts'
import type { Address, Hash } from '../base/hex.ts'
import { present } from '../base/invariant.ts'
import { keccak256 } from '../crypto/keccak.ts'
import type { Log } from '../evm/outcome.ts'
import type { Block, Receipt } from './block.ts'
import type { Chain } from './chain.ts'

/** A filter by origin and topics; empty lists match everything. */
export interface LogFilter {
  readonly addresses: readonly Address[]
  /** By position; `undefined` is anything, a list is "one of". */
  readonly topics: readonly (readonly Hash[] | undefined)[]
}

/** A log at its place in the chain. */
export interface PlacedLog {
  readonly log: Log
  readonly logIndex: number
  readonly receipt: Receipt
  readonly block: Block
}

/** How much one query may touch: any range up to so many logs, or so many blocks with any number of logs. */
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
  if (!mayMatch(block.header.logsBloom, filter)) return []
  return block.receipts.flatMap((receipt) =>
    receipt.outcome.logs
      .map((log, position) => ({ log, logIndex: receipt.firstLogIndex + position, receipt, block }))
      .filter(({ log }) => matchesLog(filter, log)),
  )
}

/**
 * Matching logs of a range of blocks, ascending.
 * @throws NodeError 'limitExceeded' when the range is longer than the limit and holds too many logs
 */
export function logsOfRange(
  chain: Pick<Chain, 'at' | 'head'>,
  filter: LogFilter,
  range: { readonly from: bigint; readonly to: bigint; readonly limits: LogLimits },
): readonly PlacedLog[] {
  const { from, limits } = range
  const head = chain.head.block.header.number
  const to = range.to < head ? range.to : head
  const isLong = to - from >= BigInt(limits.blocks)
  const found: PlacedLog[] = []
  for (let number = from; number <= to; number++) {
    const { block } = present(chain.at(number), `block ${number}`)
    found.push(...logsOfBlock(block, filter))
    if (isLong && found.length > limits.logs) {
      throw new NodeError(
        'limitExceeded',
        `query returned more than ${limits.logs} logs in a range of more than ${limits.blocks} blocks: narrow the range or the filter`,
      )
    }
  }
  return found
}

/** Whether the bloom leaves a match possible; false is certain, true is not. */
function mayMatch(bloom: Uint8Array, { addresses, topics }: LogFilter): boolean {
  const mayHold = (value: Hash | Address) => bloomBits(value).every((bit) => isSet(bloom, bit))
  if (addresses.length > 0 && !addresses.some(mayHold)) return false
  return topics.every((choices) => choices === undefined || choices.some(mayHold))
}

/** The three bits of a value in a 2048-bit bloom (Yellow Paper, 4.3.1). */
function bloomBits(value: Hash | Address): readonly number[] {
  const digest = keccak256(fromHex(value))
  return [0, 2, 4].map((offset) => (((digest[offset] ?? 0) << 8) | (digest[offset + 1] ?? 0)) & 2047)
}

function isSet(bloom: Uint8Array, bit: number): boolean {
  return ((bloom[255 - (bit >> 3)] ?? 0) & (1 << (bit & 7))) !== 0
}
