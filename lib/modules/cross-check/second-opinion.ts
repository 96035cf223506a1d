/**
 * A second execution of a mined block, whose results a cross-check compares with the node's. If only this node knows the network,
 * the machine runs again with an observer of each instruction. Then the core stops after every instruction and uses no shortcuts.
 */

import { NodeError } from '../../base/errors.ts'
import { getOrAdd } from '../../base/once.ts'
import type { Address, Hash } from '../../base/hex.ts'
import { nextTurn } from '../../base/host.ts'
import { finish } from '../../base/routine.ts'
import { blockContextOf } from '../../chain/ancestors.ts'
import { BlockProcessor } from '../../chain/block-processor.ts'
import type { ChainEntry } from '../../chain/chain-entry.ts'
import type { Network } from '../../config/network.ts'
import type { BlockContext } from '../../evm/block-context.ts'
import type { Engine } from '../../evm/engine.ts'
import type { Observer } from '../../evm/observer.ts'
import type { Outcome } from '../../evm/outcome.ts'
import type { StateRoot } from '../../state/state-root.ts'
import { State } from '../../state/state.ts'

export type TransactionResult = Pick<
  Outcome,
  'status' | 'gasUsed' | 'logs' | 'logsBloom' | 'returnData' | 'contractAddress'
>

export interface Rerun {
  /** The transactions that ran, from the first one on. */
  readonly transactions: readonly TransactionResult[]
  /** State after the block; absent if it did not run to its end. */
  readonly state: StateRoot | undefined
  /** Why the second execution considers the block itself invalid; absent if it does not. */
  readonly failure: string | undefined
  readonly recorder: ReadRecorder
}

export interface SecondOpinion {
  readonly name: string
  /** Runs a block on the state before it, which it does not change. @throws NodeError 'remoteFailed' on a fork */
  readonly rerun: (entry: ChainEntry, before: StateRoot) => Promise<Rerun>
}

export class ReadRecorder {
  readonly blockHashes = new Map<bigint, Hash>()
  /** The accounts of the state before the block, and the slots of each. */
  readonly reads = new Map<Address, Set<Hash>>()

  /** The slots of an account. Marks the account as read. */
  slotsOf(address: Address): Set<Hash> {
    return getOrAdd(this.reads, address, () => new Set<Hash>())
  }
}

/** Runs blocks of a network with the engine of the node, observed. */
export function observedExecution(network: Network, engine: Engine): SecondOpinion {
  const rerun = async (entry: ChainEntry, before: StateRoot): Promise<Rerun> => {
    const { block } = entry
    const state = new State(before)
    const recorder = new ReadRecorder()
    const context = recorded(blockContextOf(entry, network), recorder)
    const input = { ...block.header, state, context, timer: { onSlice: nextTurn } }
    const processor = new BlockProcessor(engine.unmonitored, network, input)
    const failure = await runBlock(processor, entry, observerOf(recorder))
    return {
      transactions: processor.receipts.map(({ outcome }) => outcome),
      state: failure === undefined ? state.commitRoot() : undefined,
      failure,
      recorder,
    }
  }
  return { name: 'the observed execution of dev-node', rerun }
}

/** Runs the transactions of a block. Returns why one was refused. */
async function runBlock(
  processor: BlockProcessor,
  { block: { receipts, withdrawals = [] } }: ChainEntry,
  observer: Observer,
): Promise<string | undefined> {
  for (const { transaction } of receipts) {
    try {
      await finish(processor.execute(transaction, { observer }))
    } catch (error) {
      if (!(error instanceof NodeError) || error.kind !== 'transactionRejected') throw error
      return `transaction ${transaction.hash}: ${error.message}`
    }
  }
  await finish(processor.close(withdrawals))
  return undefined
}

/** A context that records the hashes that code asks for. */
const recorded = (context: BlockContext, { blockHashes }: ReadRecorder): BlockContext => ({
  ...context,
  blockHash: (number) => {
    const hash = context.blockHash(number)
    if (hash !== undefined) blockHashes.set(number, hash)
    return hash
  },
})

/** Observes every instruction and records what was read. */
const observerOf = (recorder: ReadRecorder): Observer => ({
  onOpcode: () => undefined,
  onAccountAccess: (address) => void recorder.slotsOf(address),
  onStorageAccess: (address, slot) => void recorder.slotsOf(address).add(slot),
})
