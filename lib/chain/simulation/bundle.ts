/** Runs signed transactions in a block of their own, which is not mined (eth_callBundle). They are checked as in a mined block. */

import { NodeError } from '../../base/errors.ts'
import type { Routine } from '../../base/routine.ts'
import type { BlockContext } from '../../evm/block-context.ts'
import type { Engine } from '../../evm/engine.ts'
import type { Observer } from '../../evm/observer.ts'
import { effectiveTip, type Transaction } from '../../evm/transaction.ts'
import { State } from '../../state/state.ts'
import type { Receipt } from '../block.ts'
import { BlockProcessor } from '../block-processor.ts'
import type { ChainEntry } from '../chain-entry.ts'
import type { SimulatorDependencies } from './simulator.ts'

/** Gas and wei of one transaction of a bundle. */
export interface BundledReceipt extends Receipt {
  /** Fees above the base fee, in wei. */
  readonly gasFees: bigint
  /** Increase of the balance of the block's coinbase, in wei. */
  readonly coinbaseDiff: bigint
  /** The part of it that is not a fee, in wei. */
  readonly sentToCoinbase: bigint
}

/** A block that transactions are added to, one after the other. */
export class Bundle {
  /** The state after the transactions so far. */
  readonly state: State
  readonly #engine: Engine
  readonly #processor: BlockProcessor

  /** `context` is that of a child of `parent`. */
  constructor(
    { block, state }: ChainEntry,
    context: BlockContext,
    { engine, network }: Pick<SimulatorDependencies, 'engine' | 'network'>,
  ) {
    this.state = new State(state)
    this.#engine = engine
    const input = { state: this.state, context, parentHash: block.hash }
    this.#processor = new BlockProcessor(engine, network, input)
  }

  /** Runs a transaction. Its effects stay. @throws NodeError 'transactionRejected' or 'gasLimitTooHigh' if it cannot be in the block */
  *run(transaction: Transaction, observer: Observer): Routine<BundledReceipt> {
    const { coinbase, gasLimit, baseFeePerGas } = this.#processor.running.context
    const gasLeft = gasLimit - this.#processor.gasUsed
    if (transaction.gasLimit > gasLeft) {
      throw new NodeError(
        'gasLimitTooHigh',
        `exceeds block gas limit: transaction ${transaction.hash} has gas ${transaction.gasLimit}, left ${gasLeft}`,
      )
    }
    const before = this.state.account(coinbase)?.balance ?? 0n
    const receipt = yield* this.#processor.execute(transaction, { observer })
    const coinbaseDiff = (this.state.account(coinbase)?.balance ?? 0n) - before
    const gasFees = receipt.outcome.gasUsed * effectiveTip(transaction, baseFeePerGas)
    const isPaid = this.#engine.rules.transaction.feesGoTo === 'coinbase'
    return { ...receipt, gasFees, coinbaseDiff, sentToCoinbase: coinbaseDiff - (isPaid ? gasFees : 0n) }
  }
}
