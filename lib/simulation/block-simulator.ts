/** Simulates blocks of calls (eth_simulateV1): each call sees the effects of the calls before it. */

import { ancestorsFrom } from '../chain/ancestors.ts'
import { nextExcessBlobGas } from '../chain/blob-fields.ts'
import { BlockProcessor } from '../chain/block-processor.ts'
import type { Block, Receipt } from '../chain/block.ts'
import type { ChainEntry } from '../chain/chain-entry.ts'
import type { Chain } from '../chain/chain.ts'
import { nextBaseFee } from '../chain/fees.ts'
import { mixHashAfter } from '../chain/genesis.ts'
import { checkCarriesWithdrawals } from '../consensus/withdrawals.ts'
import type { Network } from '../config/network.ts'
import type { BlockContext } from '../evm/block-context.ts'
import type { TransactionCodec } from '../evm/codec.ts'
import type { Engine } from '../evm/engine.ts'
import type { Log, Outcome } from '../evm/outcome.ts'
import type { Transaction } from '../evm/transaction.ts'
import type { BlockSettings } from '../miner/block-settings.ts'
import { sealBlock } from '../miner/seal.ts'
import type { View } from '../miner/views.ts'
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
  /** The present chain id, which calls see. */
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
    const processor = new BlockProcessor(this.#engine, network, { state: this.#state, context, parentHash })
    const calls = this.#runAll(planned.calls, processor)
    const { receipts, requests } = processor.close(withdrawals)
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

  #runAll(calls: readonly SimulatedCall[], block: BlockProcessor): readonly RanCall[] {
    const ran: RanCall[] = []
    for (const call of calls) ran.push(this.#runOne(this.#transactionOf(call, block), block, ran.at(-1)))
    return ran
  }

  #transactionOf(call: SimulatedCall, block: BlockProcessor): Transaction {
    const { engine, codec } = this.#parts
    const { isValidated } = this.#mode
    const { baseFeePerGas, gasLimit } = block.running.context
    const gasLeft = gasLimit - block.gasUsed
    const place = { baseFeePerGas, gasLeft, budget: this.#budget, state: this.#state }
    return transactionOf(call, { engine, codec, isValidated, ...place })
  }

  #runOne(transaction: Transaction, block: BlockProcessor, previous?: RanCall): RanCall {
    const { isValidated, showsTransfers } = this.#mode
    const transfers = showsTransfers ? new TransferLogs() : undefined
    const { observer } = transfers ?? {}
    // Without validation, the transaction runs with the next nonce of its sender and is shown with the one it names.
    const nonce = this.#state.account(transaction.sender)?.nonce ?? 0n
    const receipt = block.execute(
      transaction,
      isValidated
        ? { observer }
        : {
            observer,
            running: blockSeenBy(transaction, block.running),
            inPlace: { ...transaction, nonce },
          },
    )
    const { outcome } = receipt
    this.#budget -= outcome.gasUsed
    return {
      outcome,
      receipt,
      logs: transfers?.logs ?? outcome.logs,
      firstLogIndex: previous === undefined ? 0 : previous.firstLogIndex + previous.logs.length,
    }
  }
}
