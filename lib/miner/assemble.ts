/** Runs transactions on top of a block and makes the next one of them. Nothing here touches the chain or the pool. */

import { NodeError } from '../base/errors.ts'
import { EMPTY_BYTES } from '../base/hex.ts'
import type { Address } from '../base/hex.ts'
import type { Block, Receipt } from '../chain/block.ts'
import type { ChainEntry } from '../chain/chain.ts'
import { ZERO_HASH } from '../chain/header.ts'
import type { Header } from '../chain/header.ts'
import type { Network } from '../config/network.ts'
import type { BlockContext } from '../evm/block-context.ts'
import type { Engine } from '../evm/engine.ts'
import { baseEventOf } from '../evm/precompiles/bridge/event-methods.ts'
import { creditFees } from '../evm/precompiles/fee-contract.ts'
import type { Outcome } from '../evm/outcome.ts'
import { recordBlock, systemContracts } from '../evm/system-contracts.ts'
import { effectiveGasPrice } from '../evm/transaction.ts'
import type { Executable, Transaction } from '../evm/transaction.ts'
import type { StateRoot } from '../state/state-root.ts'
import type { State } from '../state/state.ts'
import { sealBlock } from './seal.ts'

/** What a block is assembled from. */
export interface AssemblyPlan {
  readonly parent: ChainEntry
  readonly context: BlockContext
  /** In the order they should run; those that do not fit are left. */
  readonly candidates: Iterable<Executable>
  /** Working copy that stands on the parent's state. */
  readonly state: State
  /** Headers of the blocks beside the chain that the block names. */
  readonly uncles: readonly Header[]
}

/** A transaction that turned out to be impossible, and why. */
export interface Rejection {
  readonly executable: Executable
  readonly error: NodeError
}

/** A sealed block, the state after it, and what could not be part of it. */
export interface Assembly {
  readonly block: Block
  readonly state: StateRoot
  readonly rejected: readonly Rejection[]
}

/** Least gas a transaction can cost. */
const LEAST_GAS = 21_000n

/** Runs the candidates and seals the block. */
export function assemble(engine: Engine, network: Network, plan: AssemblyPlan): Assembly {
  const { parent, context, uncles } = plan
  recordBlock(plan.state, systemContracts(network), {
    ...context,
    parentHash: parent.block.hash,
    parentBeaconBlockRoot: ZERO_HASH,
  })
  // As the parent left it: a transaction of this block that sets it speaks of the next one.
  const baseEvent = network.kind === 'merged-mining' ? baseEventOf(plan.state) : EMPTY_BYTES
  const { receipts, rejected } = runCandidates(engine, plan)
  collectFees(engine, plan.state, receipts)
  const state = plan.state.seal()
  const block = sealBlock(network, { parent, context, receipts, state, uncles, baseEvent })
  return { block, state, rejected }
}

/** Credits the fee contract with what the transactions paid, where it is not their coinbase that earns it (node-chain 8.1). */
export function collectFees({ rules }: Engine, state: State, receipts: readonly Receipt[]): void {
  if (rules.transaction.feesGoTo === 'coinbase') return
  creditFees(
    state,
    receipts.reduce((total, { outcome }) => total + outcome.fee, 0n),
  )
}

/** Runs what fits, in order. A sender's later transactions wait when an earlier one does not run. */
function runCandidates(engine: Engine, { context, candidates, state }: AssemblyPlan) {
  const receipts: Receipt[] = []
  const rejected: Rejection[] = []
  const blocked = new Set<Address>()
  const running = engine.open(context)
  for (const executable of candidates) {
    const { transaction } = executable
    const gasLeft = context.gasLimit - (receipts.at(-1)?.cumulativeGasUsed ?? 0n)
    if (gasLeft < LEAST_GAS) break
    if (blocked.has(transaction.sender)) continue
    if (!isPossible(transaction, context, gasLeft)) {
      blocked.add(transaction.sender)
      continue
    }
    const outcome = attempt(() => engine.execute(state, running, transaction))
    if (outcome instanceof NodeError) {
      rejected.push({ executable, error: outcome })
      blocked.add(transaction.sender)
      continue
    }
    receipts.push(nextReceipt(receipts.at(-1), { transaction, outcome, context }))
  }
  return { receipts, rejected }
}

/** Whether a transaction can be in this block; if not, it can be in a later one. */
function isPossible(
  { gasLimit, maxFeePerGas }: Transaction,
  { baseFeePerGas }: BlockContext,
  gasLeft: bigint,
): boolean {
  return gasLimit <= gasLeft && maxFeePerGas >= baseFeePerGas
}

function attempt(execute: () => Outcome): Outcome | NodeError {
  try {
    return execute()
  } catch (error) {
    if (error instanceof NodeError) return error
    throw error
  }
}

/** The receipt of a transaction that ran, behind the one before it in the block. */
export function nextReceipt(
  previous: Receipt | undefined,
  ran: { readonly transaction: Transaction; readonly outcome: Outcome; readonly context: BlockContext },
): Receipt {
  const { transaction, outcome, context } = ran
  return {
    transaction,
    outcome,
    index: previous === undefined ? 0 : previous.index + 1,
    cumulativeGasUsed: (previous?.cumulativeGasUsed ?? 0n) + outcome.gasUsed,
    firstLogIndex: previous === undefined ? 0 : previous.firstLogIndex + previous.outcome.logs.length,
    effectiveGasPrice: effectiveGasPrice(transaction, context.baseFeePerGas),
  }
}
