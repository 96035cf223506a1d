/** A second execution of a mined block by other code, whose results a cross-check compares with those of the node. */

import type { Address, Hash } from '../../base/hex.ts'
import type { ChainEntry } from '../../chain/chain-entry.ts'
import type { Outcome } from '../../evm/outcome.ts'
import type { StateRoot } from '../../state/state-root.ts'

/** The members of an outcome that are compared. */
export type TransactionResult = Pick<
  Outcome,
  'status' | 'gasUsed' | 'logs' | 'logsBloom' | 'returnData' | 'contractAddress'
>

/** The accounts of the state before a block that an execution read, and the slots of each. */
export type ReadSet = ReadonlyMap<Address, ReadonlySet<Hash>>

/** Results of the second execution of a block. */
export interface Rerun {
  /** The transactions that ran, from the first one on. */
  readonly transactions: readonly TransactionResult[]
  /** State after the block; absent if it did not run to its end. */
  readonly state: StateRoot | undefined
  /** Why the second execution found the block itself invalid; absent if it did not. */
  readonly failure: string | undefined
  readonly reads: ReadSet
  /** Hashes of earlier blocks that code asked for, by number. */
  readonly blockHashes: ReadonlyMap<bigint, Hash>
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
  readonly blockHashes = new Map<bigint, Hash>()
  readonly reads = new Map<Address, Set<Hash>>()

  account(address: Address): void {
    this.#slotsOf(address)
  }

  slot(address: Address, slot: Hash): void {
    this.#slotsOf(address).add(slot)
  }

  #slotsOf(address: Address): Set<Hash> {
    const known = this.reads.get(address)
    if (known !== undefined) return known
    const slots = new Set<Hash>()
    this.reads.set(address, slots)
    return slots
  }
}
