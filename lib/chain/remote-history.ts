/** The blocks of another chain that a fork continues: they are read when they are asked for. */

import type { Hash } from '../base/hex.ts'
import { ChainEntry, type ChainEntryMembers, type Reservation } from './chain-entry.ts'
import type { LogFilter, PlacedLog } from './log-index.ts'
import type { StateRoot } from '../state/state-root.ts'
import type { MinedReceipt } from './chain-index.ts'

export interface ForkOrigin {
  readonly chainId: bigint
  /** The block that the chain continues. */
  readonly blockNumber: bigint
  readonly blockHash: Hash
  /** URL of the remote without secrets. */
  readonly url: string
}

/** The blocks above genesis up to that of the fork. Functions throw `NotLoadedError` until the result is in memory. */
export interface RemoteHistory extends Reservation {
  readonly origin: ForkOrigin
  readonly receipt: (hash: Hash) => MinedReceipt | undefined
  /** Matching logs of these blocks, ascending. Both ends are included. */
  readonly logs: (filter: LogFilter, from: bigint, to: bigint) => readonly PlacedLog[]
}

/** A block of the remote chain. The indexes of the local chain hold neither its transactions nor its logs. */
export class RemoteEntry extends ChainEntry {
  readonly history: RemoteHistory

  constructor(members: Omit<ChainEntryMembers, 'reservation'>, history: RemoteHistory) {
    const isGenesis = members.parent === undefined
    super({ ...members, reservation: isGenesis ? undefined : history })
    this.history = history
  }

  override get ownReceipts(): readonly [] {
    return []
  }

  override withState(state: StateRoot): RemoteEntry {
    const { block, parent, history } = this
    return new RemoteEntry({ block, state, parent }, history)
  }

  /** The state of a remote block is read from the remote, so it is never dropped. */
  override dropState(): void {
    return undefined
  }
}
