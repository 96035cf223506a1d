/** The services and options that the miner depends on. */

import type { Host } from '../../base/host.ts'
import type { Routine } from '../../base/routine.ts'
import type { ChainEntry } from '../chain-entry.ts'
import type { Chain } from '../chain.ts'
import type { MiningMode } from '../../config/mining-mode.ts'
import type { Network } from '../../config/network.ts'
import type { Engine } from '../../evm/engine.ts'
import type { Mempool } from '../mempool/mempool.ts'
import type { BlockOrder } from '../mempool/order.ts'
import type { ChainInstance } from '../instance/chain-instance.ts'
import type { BlockSettings } from './block-settings.ts'
import type { Clock } from './clock.ts'

/** The dependencies of the miner. */
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
  /** Order of transactions in a block. */
  readonly order: BlockOrder
  /** Checks each block before it is added. Absent without a check. @throws NodeError, and the block is dropped */
  readonly check?: ((entry: ChainEntry) => Routine<void>) | undefined
}

/** The dependencies, and the settings of future blocks. */
export interface MinerWithSettings extends MinerDependencies {
  readonly settings: Pick<BlockSettings, 'value' | 'setNext'>
}
