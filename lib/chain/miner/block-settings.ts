/** Settings of future blocks: some apply to the next block only, some to all later blocks. */

import { NodeError } from '../../base/errors.ts'
import type { Address, Hash } from '../../base/hex.ts'
import type { Block } from '../block.ts'
import { MAX_WITHDRAWALS, type Withdrawal } from '../../networks/consensus/withdrawals.ts'
import type { Network } from '../../config/network.ts'
import type { Cell, ChainInstance } from '../instance/chain-instance.ts'

export interface NextBlockSettings {
  readonly timestamp?: bigint
  /** Wei per gas, on networks with a base fee. */
  readonly baseFeePerGas?: bigint
  /** Result of PREVRANDAO. */
  readonly mixHash?: Hash
  /** Withdrawals of the block (EIP-4895). */
  readonly withdrawals?: readonly Withdrawal[]
}

interface LaterBlockSettings {
  readonly coinbase?: Address
  /** Chain id of transactions; the network's by default. */
  readonly chainId?: bigint
  readonly gasLimit?: bigint
  /** Wei per gas. */
  readonly minimumGasPrice?: bigint
  /** Seconds between two blocks. */
  readonly gapSeconds?: bigint | undefined
}

export interface BlockSettingValues {
  readonly next: NextBlockSettings
  readonly later: LaterBlockSettings
}

/** The common case: the next block follows from the rules alone. */
const NOTHING_SET: NextBlockSettings = {}

export class BlockSettings {
  readonly cell: Cell<BlockSettingValues>
  readonly #network: Pick<Network, 'chainId'>

  constructor(instance: ChainInstance, network: Pick<Network, 'chainId'>) {
    this.#network = network
    this.cell = instance.cell<BlockSettingValues>('blockSettings', 'restore', {
      next: NOTHING_SET,
      later: {},
    })
  }

  get value(): BlockSettingValues {
    return this.cell.value
  }

  get chainId(): bigint {
    return this.value.later.chainId ?? this.#network.chainId
  }

  setNext(change: NextBlockSettings): void {
    this.cell.value = { ...this.value, next: { ...this.value.next, ...change } }
  }

  /** Appends a withdrawal to those of the next block. @throws NodeError 'limitExceeded' */
  addWithdrawal(withdrawal: Withdrawal): void {
    const { withdrawals = [] } = this.value.next
    if (withdrawals.length >= MAX_WITHDRAWALS) {
      // geth, eth/catalyst/simulated_beacon.go
      const reason = `the next block contains ${withdrawals.length} withdrawals already`
      throw new NodeError('limitExceeded', `withdrawal queue full: ${reason}`)
    }
    this.setNext({ withdrawals: [...withdrawals, withdrawal] })
  }

  setLater(change: LaterBlockSettings): void {
    this.cell.value = { ...this.value, later: { ...this.value.later, ...change } }
  }

  /** Drops the settings of the next block after it was made. Withdrawals that it does not contain remain. */
  clearNext({ withdrawals: carried = [] }: Pick<Block, 'withdrawals'>): void {
    const { next } = this.value
    if (next === NOTHING_SET) return
    const { withdrawals = [] } = next
    const remaining = withdrawals.filter((withdrawal) => !carried.includes(withdrawal))
    this.cell.value = {
      ...this.value,
      next: remaining.length === 0 ? NOTHING_SET : { withdrawals: remaining },
    }
  }
}
