/** What tests settle of coming blocks: some of it holds for the next block only, some for every later one. */

import { NodeError } from '../base/errors.ts'
import type { Address, Hash } from '../base/hex.ts'
import type { Block } from '../chain/block.ts'
import { MAX_WITHDRAWALS } from '../chain/withdrawals.ts'
import type { Withdrawal } from '../chain/withdrawals.ts'
import type { Network } from '../config/network.ts'
import type { Captured, Cell, ChainInstance } from '../instance/chain-instance.ts'

/** For the next block only. */
interface OfNextBlock {
  /** Seconds. */
  readonly timestamp?: bigint
  /** Wei per gas, where blocks have a base fee. */
  readonly baseFeePerGas?: bigint
  /** What PREVRANDAO answers. */
  readonly mixHash?: Hash
  /** What the block credits to accounts (EIP-4895). */
  readonly withdrawals?: readonly Withdrawal[]
}

/** For every later block. */
interface OfLaterBlocks {
  readonly coinbase?: Address
  /** What transactions are signed for; the network's own unless given. */
  readonly chainId?: bigint
  readonly gasLimit?: bigint
  /** Wei per gas. */
  readonly minimumGasPrice?: bigint
  /** Seconds between a block and the next. */
  readonly gapSeconds?: bigint | undefined
}

/** Settings beyond the rules of the network; what is absent follows from those. */
export interface BlockSettingValues {
  readonly next: OfNextBlock
  readonly later: OfLaterBlocks
}

/** Chain id of the next block's transactions. */
export function chainIdOf({ later }: BlockSettingValues, network: Pick<Network, 'chainId'>): bigint {
  return later.chainId ?? network.chainId
}

/** Most blocks follow from the rules alone. */
const NOTHING_SET: OfNextBlock = {}

/** The settings of one world. */
export class BlockSettings {
  readonly captured: Captured<BlockSettingValues>
  readonly #network: Pick<Network, 'chainId'>
  readonly #cell: Cell<BlockSettingValues>

  constructor(instance: ChainInstance, network: Pick<Network, 'chainId'>) {
    this.#network = network
    this.#cell = instance.cell<BlockSettingValues>('blockSettings', 'restore', {
      next: NOTHING_SET,
      later: {},
    })
    this.captured = this.#cell
  }

  get value(): BlockSettingValues {
    return this.#cell.value
  }

  /** What transactions are signed for from now on, and calls see. */
  get chainId(): bigint {
    return chainIdOf(this.value, this.#network)
  }

  /** Puts other settings in the place of these. */
  restore(settings: BlockSettingValues): void {
    this.#cell.value = settings
  }

  /** Settles something of the next block. */
  setNext(change: OfNextBlock): void {
    this.#cell.value = { ...this.value, next: { ...this.value.next, ...change } }
  }

  /** Has the next block carry a withdrawal behind those it carries already. @throws NodeError 'limitExceeded' */
  addWithdrawal(withdrawal: Withdrawal): void {
    const { withdrawals = [] } = this.value.next
    if (withdrawals.length >= MAX_WITHDRAWALS) {
      // geth, eth/catalyst/simulated_beacon.go
      const reason = `the next block carries ${withdrawals.length} withdrawals already`
      throw new NodeError('limitExceeded', `withdrawal queue full: ${reason}`)
    }
    this.setNext({ withdrawals: [...withdrawals, withdrawal] })
  }

  /** Settles something of every later block. */
  setLater(change: OfLaterBlocks): void {
    this.#cell.value = { ...this.value, later: { ...this.value.later, ...change } }
  }

  /** Lets blocks have the times of the clock again. */
  removeGap(): void {
    this.setLater({ gapSeconds: undefined })
  }

  /** The next block was made: what was said of it is over, but for withdrawals that it does not carry. */
  nextIsMade({ withdrawals: carried = [] }: Pick<Block, 'withdrawals'>): void {
    const { next } = this.value
    if (next === NOTHING_SET) return
    const { withdrawals = [] } = next
    const left = withdrawals.filter((withdrawal) => !carried.includes(withdrawal))
    this.#cell.value = { ...this.value, next: left.length === 0 ? NOTHING_SET : { withdrawals: left } }
  }
}
