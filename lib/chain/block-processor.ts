/** Processes one block: opens it, runs its transactions, closes it (geth, core/state_processor.go). */

import type { Routine } from '../base/routine.ts'
import { activeEips } from '../config/active-eips.ts'
import type { Network } from '../config/network.ts'
import { BlockAccesses } from '../evm/block-accesses.ts'
import type { BlockContext } from '../evm/block-context.ts'
import type { Engine } from '../evm/engine.ts'
import { collectRequests, recordBlock, systemContracts, type NewBlock } from '../evm/system-contracts.ts'
import type { CallTimer, Observer } from '../evm/observer.ts'
import type { Outcome } from '../evm/outcome.ts'
import type { RunningBlock } from '../evm/machine/environment.ts'
import { isSystemTransaction, systemTransaction } from '../evm/system-transaction.ts'
import { maxGasOf } from '../evm/transaction-gas.ts'
import {
  DEPOSIT_TYPE,
  LEGACY_TYPE,
  effectiveGasPrice,
  impersonatedSignature,
  type Transaction,
} from '../evm/transaction.ts'
import { EMPTY_ACCOUNT } from '../state/account.ts'
import type { State } from '../state/state.ts'
import { BlockGas, type Receipt } from './block.ts'
import type { Withdrawal } from '../networks/consensus/withdrawals.ts'

export interface BlockInput extends Pick<NewBlock, 'parentHash' | 'parentBeaconBlockRoot'> {
  /** Working copy of the state after the parent. */
  readonly state: State
  readonly context: BlockContext
  /** Times all executions of the block. */
  readonly timer?: CallTimer | undefined
}

/** Settings of a simulated transaction, which real blocks do not use. */
export interface SimulatedRun {
  readonly observer?: Observer | undefined
  /** The opened block in which the transaction runs, if it is not the block of the processor. */
  readonly running?: RunningBlock
  /** The transaction to execute, if it differs from the one that the receipt shows. */
  readonly executedTransaction?: Transaction
}

export interface ProcessedBlock {
  readonly receipts: readonly Receipt[]
  /** Execution requests, a list for each type that has some (EIP-7685). */
  readonly requests: readonly Uint8Array[]
  /** Encoded access list; absent where blocks have none (EIP-7928). */
  readonly accessList: Uint8Array | undefined
}

/** Runs the transactions of one block. Their effects stay in the state. */
export class BlockProcessor {
  readonly running: RunningBlock
  readonly #engine: Engine
  readonly #network: Network
  readonly #state: State
  readonly #receipts: Receipt[] = []
  readonly #gas = new BlockGas()
  #isFinal = false

  /** Opens the block: records its parent in the system contracts (EIP-2935, EIP-4788). */
  constructor(engine: Engine, network: Network, input: BlockInput) {
    const { state, context, parentHash, parentBeaconBlockRoot, timer } = input
    const { number, timestamp } = context
    const { headerFields } = activeEips(network)
    const accesses = headerFields.has('blockAccessListHash') ? new BlockAccesses() : undefined
    const block = { number, timestamp, parentHash, parentBeaconBlockRoot }
    recordBlock(state, systemContracts(network), block, accesses)
    accesses?.endPart(state)
    this.running = engine.open(context, { accesses, timer })
    this.#engine = engine
    this.#network = network
    this.#state = state
  }

  get receipts(): readonly Receipt[] {
    return this.#receipts
  }

  get gasUsed(): bigint {
    return this.#gas.used
  }

  /** Whether a transaction fits what is left of a limit of the block's gas. */
  hasGasFor(transaction: Transaction, limit: bigint): boolean {
    const { state, other } = maxGasOf(this.#engine.rules, transaction)
    return state <= limit - this.#gas.state && other <= limit - this.#gas.other
  }

  /** Runs a transaction. @throws NodeError 'transactionRejected'; the state is then as before */
  *execute(transaction: Transaction, run: SimulatedRun = {}): Routine<Receipt> {
    if (isSystemTransaction(transaction)) this.finalize()
    if (transaction.type === DEPOSIT_TYPE) return yield* this.#executeDeposit(transaction, run)
    const { running = this.running, executedTransaction = transaction, observer } = run
    const { accesses } = this.running
    accesses?.drop()
    const outcome = yield* this.#engine.execute(this.#state, running, executedTransaction, observer)
    accesses?.endPart(this.#state)
    return this.#add(transaction, outcome)
  }

  /** Runs a deposit: its sender gets the minted coins and pays no fees (OP Stack specification, Deposits). */
  *#executeDeposit(deposit: Transaction, { observer }: SimulatedRun): Routine<Receipt> {
    const { sender, mint = 0n } = deposit
    this.#state.addBalance(sender, mint)
    const { nonce } = this.#state.account(sender) ?? EMPTY_ACCOUNT
    const signature = impersonatedSignature(sender)
    const free = { type: LEGACY_TYPE, maxFeePerGas: 0n, maxPriorityFeePerGas: 0n, r: signature, s: signature }
    const running = { ...this.running, context: { ...this.running.context, baseFeePerGas: 0n } }
    const executed = { ...deposit, ...free, nonce }
    return this.#add(deposit, yield* this.#engine.execute(this.#state, running, executed, observer))
  }

  /** Credits the fees or withdrawals, once: after user transactions, before the system transaction, which can pay the fees out. */
  finalize(withdrawals: readonly Withdrawal[] = []): void {
    if (this.#isFinal) return
    this.#isFinal = true
    for (const { address } of withdrawals) this.running.accesses?.addAccount(this.#state, address)
    const fees = this.#receipts.reduce((total, { outcome }) => total + outcome.fee, 0n)
    this.#network.kind.consensus.finalize(this.#state, { fees, withdrawals })
  }

  /** Runs the system transaction, on networks that close their blocks with one. */
  *runSystemTransaction(): Routine<void> {
    if (this.#network.systemTransaction) yield* this.execute(systemTransaction(this.running.context.number))
  }

  /** Closes the block: finalizes it and collects execution requests (EIP-7685). */
  *close(withdrawals: readonly Withdrawal[]): Routine<ProcessedBlock> {
    const { accesses } = this.running
    accesses?.drop()
    this.finalize(withdrawals)
    const logs = this.#receipts.flatMap(({ outcome }) => outcome.logs)
    const requests = yield* collectRequests(this.#engine, this.#network, {
      state: this.#state,
      running: this.running,
      logs,
    })
    accesses?.endPart(this.#state)
    return { receipts: this.#receipts, requests, accessList: accesses?.encode() }
  }

  #add(transaction: Transaction, outcome: Outcome): Receipt {
    const previous = this.#receipts.at(-1)
    this.#gas.add(outcome)
    const receipt = {
      transaction,
      outcome,
      index: this.#receipts.length,
      cumulativeGasUsed: (previous?.cumulativeGasUsed ?? 0n) + outcome.gasUsed,
      firstLogIndex: previous === undefined ? 0 : previous.firstLogIndex + previous.outcome.logs.length,
      effectiveGasPrice: effectiveGasPrice(transaction, this.running.context.baseFeePerGas),
    }
    this.#receipts.push(receipt)
    return receipt
  }
}
