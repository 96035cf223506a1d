/** A second execution of a mined block by other code, whose results a cross-check compares with those of the node. */

import { getOrAdd } from '../../base/get-or-add.ts'
import type { Address, Hash } from '../../base/hex.ts'
import type { ChainEntry } from '../../chain/chain-entry.ts'
import type { Outcome } from '../../evm/outcome.ts'
import type { StateRoot } from '../../state/state-root.ts'

/** The members of an outcome that are compared. */
export type TransactionResult = Pick<
  Outcome,
  'status' | 'gasUsed' | 'logs' | 'logsBloom' | 'returnData' | 'contractAddress'
>

/** Results of the second execution of a block. */
export interface Rerun {
  /** The transactions that ran, from the first one on. */
  readonly transactions: readonly TransactionResult[]
  /** State after the block; absent if it did not run to its end. */
  readonly state: StateRoot | undefined
  /** Why the second execution found the block itself invalid; absent if it did not. */
  readonly failure: string | undefined
  readonly recorder: ReadRecorder
}

/** Runs blocks a second time. */
export interface SecondOpinion {
  /** Name and version of the code that runs them, for reports. */
  readonly name: string
  /** Runs a block on the state before it, which it does not change. @throws NodeError 'remoteFailed' on a fork */
  readonly rerun: (entry: ChainEntry, before: StateRoot) => Promise<Rerun>
}

/** Collects what an execution reads. */
export class ReadRecorder {
  /** Hashes of earlier blocks that code asked for, by number. */
  readonly blockHashes = new Map<bigint, Hash>()
  /** The accounts of the state before the block, and the slots of each. */
  readonly reads = new Map<Address, Set<Hash>>()

  /** The slots of an account, which counts as read. */
  slotsOf(address: Address): Set<Hash> {
    return getOrAdd(this.reads, address, () => new Set<Hash>())
  }
}
