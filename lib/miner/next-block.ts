/** The block that would follow a head: its header fields before any transaction ran. */

import type { Address } from '../base/hex.ts'
import type { ChainEntry } from '../chain/chain.ts'
import { nextBaseFee } from '../chain/fees.ts'
import { mixHashAfter } from '../chain/genesis.ts'
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
  readonly hashAt: (number: bigint) => ReturnType<BlockContext['blockHash']>
}

/** Plans the block after a parent. */
export function planNextBlock({ block }: ChainEntry, context: NextBlockContext): BlockContext {
  const { network, clock, settings, hashAt } = context
  const coinbase: Address = network.coinbase
  const number = block.header.number + 1n
  return {
    number,
    timestamp:
      settings.timestamp ?? nextTimestamp(block.header.timestamp, clock.now, context.allowSameTimestamp),
    coinbase,
    gasLimit: network.blockGasLimit,
    baseFeePerGas: nextBaseFee(block.header) ?? 0n,
    difficulty: network.genesis.difficulty,
    mixHash: mixHashAfter(block),
    blockHash: hashAt,
  }
}

/** Every block is at least a second after its parent, unless equal times are allowed. */
function nextTimestamp(parent: bigint, now: bigint, allowSame: boolean): bigint {
  const least = allowSame ? parent : parent + 1n
  return now > least ? now : least
}
