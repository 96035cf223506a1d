/** The block that would follow a head: its header fields before any transaction ran. */

import type { ChainEntry } from '../chain/chain-entry.ts'
import type { Header } from '../chain/header-fields.ts'
import { NodeError } from '../base/errors.ts'
import { ancestorsFrom } from '../chain/ancestors.ts'
import { nextExcessBlobGas } from '../chain/blob-fields.ts'
import { nextDifficulty } from '../chain/difficulty.ts'
import { nextBaseFee, nextGasLimit, nextMinimumGasPrice } from '../chain/fees.ts'
import { mixHashAfter } from '../chain/genesis.ts'
import { networkBlobSchedule } from '../config/blob-schedule.ts'
import type { Network } from '../config/network.ts'
import type { BlockContext } from '../evm/block-context.ts'
import { chainIdOf } from './block-settings.ts'
import type { BlockSettingValues } from './block-settings.ts'
import type { Clock } from './clock.ts'

/** What a next block is made from. */
export interface NextBlockContext {
  readonly network: Network
  readonly clock: Clock
  readonly settings: BlockSettingValues
  readonly allowSameTimestamp: boolean
  readonly hashAt: BlockContext['blockHash']
  /** Blocks beside the chain that the block will name. */
  readonly uncleCount: number
}

/** Plans the block after a parent. */
export function planNextBlock(parent: ChainEntry, context: NextBlockContext): BlockContext {
  const { header } = parent.block
  const { network, settings, hashAt, uncleCount } = context
  const { next, later } = settings
  const timestamp = next.timestamp ?? timestampAfter(header, context)
  return {
    number: header.number + 1n,
    chainId: chainIdOf(settings, network),
    timestamp,
    coinbase: later.coinbase ?? network.coinbase,
    gasLimit: later.gasLimit ?? nextGasLimit(header, network),
    baseFeePerGas: next.baseFeePerGas ?? nextBaseFee(header) ?? 0n,
    difficulty:
      network.kind === 'merged-mining'
        ? nextDifficulty(header, timestamp, uncleCount)
        : network.genesis.difficulty,
    mixHash: next.mixHash ?? mixHashAfter(parent.block),
    blockHash: hashAt,
    minimumGasPrice: later.minimumGasPrice ?? nextMinimumGasPrice(header, network),
    excessBlobGas: nextExcessBlobGas(header, networkBlobSchedule(network)),
    ancestor: ancestorsFrom(parent),
  }
}

/** Time of a block that nobody gave one: as long after its parent as was asked for, else what the clock shows. */
function timestampAfter(
  parent: Header,
  { clock, settings: { later }, allowSameTimestamp }: NextBlockContext,
): bigint {
  const least = leastTimestamp(parent, allowSameTimestamp)
  const usual = later.gapSeconds === undefined ? clock.now : parent.timestamp + later.gapSeconds
  return usual > least ? usual : least
}

/**
 * Refuses a time that a block's child cannot have.
 * @throws NodeError 'invalidParams'
 */
export function checkTimestamp(timestamp: bigint, head: Header, allowSame: boolean): void {
  if (timestamp >= leastTimestamp(head, allowSame)) return
  throw new NodeError(
    'invalidParams',
    `timestamp ${timestamp} is not after the head's timestamp ${head.timestamp}`,
  )
}

/** Earliest time of a block's child: a second later, unless equal times are allowed. */
export function leastTimestamp({ timestamp }: Header, allowSame: boolean): bigint {
  return allowSame ? timestamp : timestamp + 1n
}
