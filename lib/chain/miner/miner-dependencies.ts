/** The services and options that the miner depends on. */

import type { Host } from '../../base/host.ts'
import type { Routine } from '../../base/routine.ts'
import type { ChainEntry } from '../chain-entry.ts'
import type { Chain } from '../chain.ts'
import type { ExecutionTimers } from '../execution-timers.ts'
import type { MiningMode } from '../../config/mining-mode.ts'
import type { Network } from '../../config/network.ts'
import type { BlockContext } from '../../evm/block-context.ts'
import type { Engine } from '../../evm/engine.ts'
import type { Mempool } from '../mempool/mempool.ts'
import type { BlockOrder } from '../mempool/pending.ts'
import type { ChainInstance } from '../instance/chain-instance.ts'
import type { BlockSettings } from './block-settings.ts'
import type { Clock } from './clock.ts'

export interface BlockSource {
  nextBlock(): { readonly parent: ChainEntry; readonly context: BlockContext }
}

/** Sends transactions of its own after blocks. */
export interface BlockFollower {
  /** Adds what is due after the head to the pool. @throws NotLoadedError before it changes anything */
  act(miner: BlockSource): void
  /** Number of blocks to the next one that its own work needs; 0 without work. @throws NotLoadedError */
  readonly blocksToNext: number
}

export interface MinerDependencies {
  readonly instance: ChainInstance
  readonly chain: Chain
  readonly mempool: Mempool
  readonly engine: Engine
  readonly network: Network
  readonly clock: Clock
  readonly host: Host
  readonly mode: MiningMode
  readonly allowSameTimestamp: boolean
  readonly order: BlockOrder
  readonly timers: ExecutionTimers
  /** Checks each block before it is added. Absent without a check. @throws NodeError, and the block is dropped */
  readonly check?: ((entry: ChainEntry) => Routine<void>) | undefined
}

export interface MinerWithSettings extends MinerDependencies {
  readonly settings: BlockSettings
  readonly follower?: BlockFollower | undefined
}
