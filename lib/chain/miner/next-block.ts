/** Computes the header fields of the next block before its transactions run. */

import { PHRASES } from '../../config/phrases.ts'
import { NodeError } from '../../base/errors.ts'
import { ancestorsFrom, entryBelow, unclesAfter } from '../ancestors.ts'
import { nextExcessBlobGas, nextBaseFee, nextGasLimit, nextMinimumGasPrice } from '../fees.ts'
import type { ChainEntry } from '../chain-entry.ts'
import { mixHashAfter } from '../genesis.ts'
import { nextSlotNumber } from '../header.ts'
import type { Header } from '../../networks/consensus/consensus.ts'
import { activeEips } from '../../config/active-eips.ts'
import type { BlockContext } from '../../evm/block-context.ts'
import type { MinerWithSettings } from './miner-dependencies.ts'

/** The next block before its transactions: requests are filled in for it, checked against it and mined into it. */
export interface NextBlock {
  readonly parent: ChainEntry
  readonly context: BlockContext
  /** Headers of the side blocks that the block includes. */
  readonly uncles: readonly Header[]
}

export function nextBlock(miner: MinerWithSettings): NextBlock {
  const { head, sideBlocks } = miner.chain
  const uncles = unclesAfter(head, sideBlocks)
  return { parent: head, context: nextBlockContext(head, miner, { uncleCount: uncles.length }), uncles }
}

/** The block context of the child of a block. The settings of the next block apply unless others are passed as `next`. */
export function nextBlockContext(
  parent: ChainEntry,
  miner: MinerWithSettings,
  { next = miner.settings.value.next, uncleCount = 0 } = {},
): BlockContext {
  const { header } = parent.block
  const { network, settings } = miner
  const { later } = settings.value
  const timestamp = next.timestamp ?? timestampAfter(header, miner)
  return {
    number: header.number + 1n,
    chainId: settings.chainId,
    timestamp,
    coinbase: later.coinbase ?? network.coinbase,
    gasLimit: later.gasLimit ?? nextGasLimit(header, network),
    baseFeePerGas: next.baseFeePerGas ?? nextBaseFee(header) ?? 0n,
    difficulty: network.kind.consensus.difficulty(network, header, timestamp, uncleCount),
    mixHash: next.mixHash ?? mixHashAfter(parent.block),
    // The chain is not asked: its head may change while a pending block runs.
    blockHash: (number) => (number > header.number ? undefined : entryBelow(parent, number)?.hash),
    minimumGasPrice: later.minimumGasPrice ?? nextMinimumGasPrice(header, network),
    excessBlobGas: nextExcessBlobGas(header, activeEips(network).blobs),
    slotNumber: nextSlotNumber(header),
    ancestor: ancestorsFrom(parent),
  }
}

/** Timestamp that no request has set: the parent's plus the gap setting, or without a gap the time of the clock. */
function timestampAfter(parent: Header, { clock, settings, allowSameTimestamp }: MinerWithSettings): bigint {
  const minimum = minTimestamp(parent, allowSameTimestamp)
  const { gapSeconds } = settings.value.later
  const defaultTimestamp = gapSeconds === undefined ? clock.now : parent.timestamp + gapSeconds
  return defaultTimestamp > minimum ? defaultTimestamp : minimum
}

/** Rejects a timestamp that is too early for the child of the head. @throws NodeError 'invalidParams' */
export function checkTimestamp(timestamp: bigint, head: Header, allowSame: boolean): void {
  if (timestamp >= minTimestamp(head, allowSame)) return
  throw new NodeError(
    'invalidParams',
    `timestamp ${timestamp} is not after the head's timestamp ${head.timestamp}`,
    { isInput: true, phrases: PHRASES.earlyTimestamp(timestamp, head.timestamp) },
  )
}

/** Minimum timestamp of a child: one second after its parent, or the same if equal timestamps are allowed. */
export const minTimestamp = ({ timestamp }: Header, allowSame: boolean): bigint =>
  allowSame ? timestamp : timestamp + 1n
