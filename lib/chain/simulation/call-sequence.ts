/** Runs calls in an existing block, each on the state after the calls before it. They are not checked as transactions are. */

import type { Routine } from '../../base/routine.ts'
import type { BlockContext } from '../../evm/block-context.ts'
import type { TransactionCodec } from '../../evm/codec.ts'
import type { Engine } from '../../evm/engine.ts'
import type { RunningBlock } from '../../evm/machine/environment.ts'
import type { Observer } from '../../evm/observer.ts'
import type { Outcome } from '../../evm/outcome.ts'
import type { Transaction } from '../../evm/transaction.ts'
import { State } from '../../state/state.ts'
import type { StateRoot } from '../../state/state-root.ts'
import { blockForCall, buildCallTransaction } from './call-transaction.ts'
import { overrideBlock, overrideState, type Overrides } from './overrides.ts'
import type { TransactionRequest } from './transaction-request.ts'

export interface RanTransaction {
  readonly transaction: Transaction
  readonly outcome: Outcome
}

/** The block of a sequence, and what runs it. */
interface SequenceInput {
  /** The state before the first call. */
  readonly root: StateRoot
  readonly context: BlockContext
  /** An engine that allows contracts as senders. */
  readonly engine: Engine
  readonly codec: TransactionCodec
  /** Gas that all calls together may use. */
  readonly gasCap: bigint
}

/** Calls on top of each other. */
export class CallSequence {
  /** The state after the calls so far. */
  readonly state: State
  readonly #running: RunningBlock
  readonly #input: SequenceInput
  #gasLeft: bigint

  constructor(input: SequenceInput, overrides: Overrides) {
    const { engine, context, root, gasCap } = input
    this.#input = input
    this.state = new State(root)
    overrideState(this.state, overrides.stateOverrides)
    this.#running = engine.open(overrideBlock(engine.rules, context, overrides))
    this.#gasLeft = gasCap
  }

  /** Runs a call. Its effects stay. @throws NodeError for an invalid call, not for one that fails */
  *run(call: TransactionRequest, observer: Observer): Routine<RanTransaction> {
    const { engine, codec } = this.#input
    const { state } = this
    const transaction = buildCallTransaction(call, {
      engine,
      codec,
      state,
      running: this.#running,
      blockGasLeft: this.#running.context.gasLimit,
      requestGasLeft: this.#gasLeft,
      isValidated: false,
    })
    const nonce = state.account(transaction.sender)?.nonce ?? 0n
    const running = blockForCall(transaction, this.#running)
    const outcome = yield* engine.execute(state, running, { ...transaction, nonce }, observer)
    this.#gasLeft -= outcome.gasUsed
    return { transaction, outcome }
  }
}
