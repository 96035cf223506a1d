/**
 * The second opinion on a network that only this node knows: the machine itself, with an observer of each instruction. An
 * observed execution leaves the core of the machine after every instruction, and does without its shortcuts.
 */

import { NodeError } from '../../base/errors.ts'
import { nextTurn } from '../../base/host.ts'
import { finish } from '../../base/routine.ts'
import { BlockProcessor } from '../../chain/block-processor.ts'
import type { ChainEntry } from '../../chain/chain-entry.ts'
import { blockContextOf } from '../../chain/ancestors.ts'
import type { Network } from '../../config/network.ts'
import type { BlockContext } from '../../evm/block-context.ts'
import type { Engine } from '../../evm/engine.ts'
import type { Observer } from '../../evm/observer.ts'
import type { StateRoot } from '../../state/state-root.ts'
import { State } from '../../state/state.ts'
import { ReadRecorder, type Rerun, type SecondOpinion } from './second-opinion.ts'

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

/** Runs the transactions of a block; returns why one of them was refused. */
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

/** A context that remembers the hashes that code asks for. */
const recorded = (context: BlockContext, { blockHashes }: ReadRecorder): BlockContext => ({
  ...context,
  blockHash: (number) => {
    const hash = context.blockHash(number)
    if (hash !== undefined) blockHashes.set(number, hash)
    return hash
  },
})

/** An observer of every instruction that remembers what was read. */
const observerOf = (recorder: ReadRecorder): Observer => ({
  onOpcode: () => undefined,
  onAccountAccess: (address) => void recorder.slotsOf(address),
  onStorageAccess: (address, slot) => void recorder.slotsOf(address).add(slot),
})
