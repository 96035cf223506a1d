/** The block that would follow a head: its header fields before any transaction ran. */

import { ancestorsFrom } from '../chain/ancestors.ts'
import type { ChainEntry } from '../chain/chain.ts'
import { nextBaseFee } from '../chain/fees.ts'
import { mixHashAfter } from '../chain/genesis.ts'
import type { Header } from '../chain/header.ts'
import type { Network } from '../config/network.ts'
import type { BlockContext } from '../evm/block-context.ts'
import type { Clock } from './clock.ts'

/** What is settled for the next block only, or from the next block on. */
export interface NextBlockSettings {
  /** Seconds; forgotten once a block was mined. */
  readonly timestamp?: bigint
}

/** What a next block is made from. */
export interface NextBlockContext {
  readonly network: Network
  readonly clock: Clock
  readonly settings: NextBlockSettings
  readonly allowSameTimestamp: boolean
  readonly hashAt: BlockContext['blockHash']
}

/** Plans the block after a parent. */
export function planNextBlock(parent: ChainEntry, context: NextBlockContext): BlockContext {
  const { block } = parent
  const { network, clock, settings, hashAt } = context
  const least = leastTimestamp(block.header, context.allowSameTimestamp)
  return {
    number: block.header.number + 1n,
    timestamp: settings.timestamp ?? (clock.now > least ? clock.now : least),
    coinbase: network.coinbase,
    gasLimit: network.blockGasLimit,
    baseFeePerGas: nextBaseFee(block.header) ?? 0n,
    difficulty: network.genesis.difficulty,
    mixHash: mixHashAfter(block),
    blockHash: hashAt,
    minimumGasPrice: network.minimumGasPrice,
    ancestor: ancestorsFrom(parent),
  }
}

/** Earliest time of a block's child: a second later, unless equal times are allowed. */
export function leastTimestamp({ timestamp }: Header, allowSame: boolean): bigint {
  return allowSame ? timestamp : timestamp + 1n
}
