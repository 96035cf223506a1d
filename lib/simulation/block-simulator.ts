/** Blocks of calls that leave nothing behind: each call sees what came before it, in its block and in those below. */

import { ancestorsFrom } from '../chain/ancestors.ts'
import { nextExcessBlobGas } from '../chain/blob-fields.ts'
import type { Block, Receipt } from '../chain/block.ts'
import type { Chain, ChainEntry } from '../chain/chain.ts'
import { nextBaseFee } from '../chain/fees.ts'
import { mixHashAfter } from '../chain/genesis.ts'
import { ZERO_HASH } from '../chain/header.ts'
import { checkCarriesWithdrawals } from '../chain/withdrawals.ts'
import type { Network } from '../config/network.ts'
import type { BlockContext } from '../evm/block-context.ts'
import type { TransactionCodec } from '../evm/codec.ts'
import type { Engine } from '../evm/engine.ts'
import type { Log, Outcome } from '../evm/outcome.ts'
import type { RunningBlock } from '../evm/run.ts'
import { recordBlock, systemContracts } from '../evm/system-contracts.ts'
import type { Transaction } from '../evm/transaction.ts'
import { collectFees } from '../miner/close-block.ts'
import { nextReceipt } from '../miner/next-receipt.ts'
import { postExecution } from '../miner/post-execution.ts'
import { sealBlock } from '../miner/seal.ts'
import type { View } from '../miner/views.ts'
import type { BlockSettings } from '../miner/block-settings.ts'
import { State } from '../state/state.ts'
import { planBlocks } from './block-plan.ts'
import type { BlockRequest, PlannedBlock, SimulatedCall } from './block-plan.ts'
import { blockSeenBy, transactionOf } from './call-transaction.ts'
import { applyOverrides } from './overrides.ts'
import { TransferLogs } from './transfers.ts'

/** How blocks are simulated. */
export interface SimulationMode {
  /** Whether the rules of real blocks hold: base fee, nonces, and senders without code. */
  readonly isValidated: boolean
  /** Whether transfers of the native coin are shown as events. */
  readonly showsTransfers: boolean
}

/** A call that ran. Its events may include transfers. */
export interface RanCall {
  readonly outcome: Outcome
  readonly receipt: Receipt
  readonly logs: readonly Log[]
  /** Position of its first event in the block. */
  readonly firstLogIndex: number
}

/** A simulated block. */
export interface SimulatedBlock {
  readonly view: View
  readonly calls: readonly RanCall[]
}

/** What blocks are simulated with. */
export interface BlockSimulatorParts {
  readonly engine: Engine
  readonly codec: TransactionCodec
  readonly chain: Chain
  /** Knows the chain id of the moment, which calls see. */
  readonly settings: Pick<BlockSettings, 'chainId'>
  readonly network: Network
}

/** Simulates blocks. */
export class BlockSimulator {
  readonly #parts: BlockSimulatorParts

  constructor(parts: BlockSimulatorParts) {
    this.#parts = parts
  }

  /**
   * Makes the blocks on top of a block, on the state after it.
   * @throws NodeError when a block or a call is impossible; a call that fails is none
   */
  run(base: View, requests: readonly BlockRequest[], mode: SimulationMode): readonly SimulatedBlock[] {
    const { block, state } = base
    const parent = this.#parts.chain.byHash(block.header.parentHash)
    const simulation = new Simulation(this.#parts, { block, state, parent }, mode)
    return planBlocks(block.header, requests).map((planned) => simulation.add(planned))
  }
}

/** One run: the state that goes on from call to call, and the blocks so far. */
class Simulation {
  readonly #parts: BlockSimulatorParts
  readonly #mode: SimulationMode
  readonly #engine: Engine
  readonly #state: State
  readonly #blocks: Block[]
  #parent: ChainEntry
  /** Gas for all calls together. */
  #budget: bigint

  constructor(parts: BlockSimulatorParts, base: ChainEntry, mode: SimulationMode) {
    this.#parts = parts
    this.#mode = mode
    this.#engine = mode.isValidated ? parts.engine : parts.engine.with({ refusesSenderWithCode: false })
    this.#state = new State(base.state)
    this.#blocks = [base.block]
    this.#parent = base
    this.#budget = parts.network.callGasCap
  }

  add(planned: PlannedBlock): SimulatedBlock {
    const { network } = this.#parts
    const parent = this.#parent
    const { withdrawals = [] } = planned.block
    if (withdrawals.length > 0) checkCarriesWithdrawals(network, 'blockOverrides.withdrawals')
    const context = this.#contextOf(planned)
    applyOverrides(this.#state, planned.overrides)
    const parentHash = parent.block.hash
    const contracts = systemContracts(network)
    recordBlock(this.#state, contracts, { ...context, parentHash, parentBeaconBlockRoot: ZERO_HASH })
    const running = this.#engine.open(context)
    const calls = this.#runAll(planned.calls, running)
    const receipts = calls.map(({ receipt }) => receipt)
    collectFees(this.#engine, this.#state, receipts)
    const ran = { state: this.#state, running, receipts, withdrawals }
    const requests = postExecution(this.#engine, network, ran)
    const state = this.#state.seal()
    const block = sealBlock(network, { parent, context, receipts, withdrawals, requests, state })
    this.#blocks.push(block)
    this.#parent = { block, state, parent }
    return { view: { block, state, isPending: false }, calls }
  }

  #contextOf({ block, number, timestamp }: PlannedBlock): BlockContext {
    const { header } = this.#parent.block
    const usualFee = this.#mode.isValidated ? (nextBaseFee(header) ?? 0n) : 0n
    return {
      number,
      chainId: this.#parts.settings.chainId,
      timestamp,
      coinbase: block.feeRecipient ?? header.coinbase,
      gasLimit: block.gasLimit ?? header.gasLimit,
      baseFeePerGas: block.baseFeePerGas ?? usualFee,
      difficulty: block.difficulty ?? header.difficulty,
      mixHash: block.prevRandao ?? mixHashAfter(this.#parent.block),
      blockHash: (wanted) => this.#blockAt(wanted)?.hash,
      minimumGasPrice: header.minimumGasPrice,
      excessBlobGas: nextExcessBlobGas(header, this.#engine.rules.blobs),
      blobBaseFee: block.blobBaseFee,
      ancestor: ancestorsFrom(this.#parent),
    }
  }

  #blockAt(number: bigint): Block | undefined {
    const base = this.#blocks[0]?.header.number ?? 0n
    return number < base ? this.#parts.chain.at(number)?.block : this.#blocks[Number(number - base)]
  }

  #runAll(calls: readonly SimulatedCall[], block: RunningBlock): readonly RanCall[] {
    const { context } = block
    const ran: RanCall[] = []
    for (const call of calls) {
      const transaction = this.#transactionOf(call, context, ran.at(-1)?.receipt.cumulativeGasUsed ?? 0n)
      ran.push(
        this.#runOne(
          transaction,
          this.#mode.isValidated ? block : blockSeenBy(transaction, block),
          ran.at(-1),
        ),
      )
    }
    return ran
  }

  #transactionOf(call: SimulatedCall, context: BlockContext, gasUsed: bigint): Transaction {
    const { engine, codec } = this.#parts
    const { isValidated } = this.#mode
    const { baseFeePerGas, gasLimit } = context
    const gasLeft = gasLimit - gasUsed
    const place = { baseFeePerGas, gasLeft, budget: this.#budget, state: this.#state }
    return transactionOf(call, { engine, codec, isValidated, ...place })
  }

  #runOne(transaction: Transaction, block: RunningBlock, previous?: RanCall): RanCall {
    const state = this.#state
    const transfers = this.#mode.showsTransfers ? new TransferLogs() : undefined
    // What runs has the nonce that is due; what is shown has the one that was asked for.
    const due = { ...transaction, nonce: state.account(transaction.sender)?.nonce ?? 0n }
    const running = this.#mode.isValidated ? transaction : due
    const outcome = this.#engine.execute(state, block, running, transfers?.observer)
    this.#budget -= outcome.gasUsed
    return {
      outcome,
      receipt: nextReceipt(previous?.receipt, { transaction, outcome, context: block.context }),
      logs: transfers?.logs ?? outcome.logs,
      firstLogIndex: previous === undefined ? 0 : previous.firstLogIndex + previous.logs.length,
    }
  }
}
