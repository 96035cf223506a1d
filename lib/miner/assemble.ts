/** Runs transactions on top of a block and makes the next one of them. Nothing here touches the chain or the pool. */

import { NodeError } from '../base/errors.ts'
import { EMPTY_BYTES } from '../base/hex.ts'
import type { Address } from '../base/hex.ts'
import type { Block, Receipt } from '../chain/block.ts'
import type { ChainEntry } from '../chain/chain.ts'
import { ZERO_HASH } from '../chain/header.ts'
import type { Header } from '../chain/header.ts'
import { blockPriceCap } from '../chain/fees.ts'
import { userGasLimit } from '../chain/sub-lists.ts'
import type { Withdrawal } from '../chain/withdrawals.ts'
import type { Network } from '../config/network.ts'
import { blobCount } from '../evm/blob-gas.ts'
import type { BlockContext } from '../evm/block-context.ts'
import type { Engine } from '../evm/engine.ts'
import { baseEventOf } from '../evm/precompiles/network-33/bridge/event-methods.ts'
import type { Outcome } from '../evm/outcome.ts'
import type { RunningBlock } from '../evm/run.ts'
import { recordBlock, systemContracts } from '../evm/system-contracts.ts'
import type { Transaction } from '../evm/transaction.ts'
import type { PooledTransaction } from '../mempool/mempool.ts'
import type { StateRoot } from '../state/state-root.ts'
import type { State } from '../state/state.ts'
import { closeBlock } from './close-block.ts'
import { nextReceipt } from './next-receipt.ts'
import { postExecution } from './post-execution.ts'
import { sealBlock } from './seal.ts'
import type { FinishBlock } from './seal.ts'

/** What a block is assembled from. */
export interface AssemblyPlan {
  readonly parent: ChainEntry
  readonly context: BlockContext
  /** In the order they should run; those that do not fit are left. */
  readonly candidates: Iterable<Pick<PooledTransaction, 'transaction'>>
  /** Working copy that stands on the parent's state. */
  readonly state: State
  /** Headers of the blocks beside the chain that the block names. */
  readonly uncles: readonly Header[]
  /** Credited after the transactions (EIP-4895). */
  readonly withdrawals?: readonly Withdrawal[] | undefined
  readonly finish: FinishBlock
}

/** A transaction that turned out to be impossible, and why. */
export interface Rejection {
  readonly transaction: Transaction
  readonly error: NodeError
}

/** A sealed block, the state after it, and what could not be part of it. */
export interface Assembly {
  readonly block: Block
  readonly state: StateRoot
  readonly rejected: readonly Rejection[]
}

/** Runs the candidates and seals the block. */
export function assemble(engine: Engine, network: Network, plan: AssemblyPlan): Assembly {
  const { parent, context, uncles, withdrawals = [], finish } = plan
  recordBlock(plan.state, systemContracts(network), {
    ...context,
    parentHash: parent.block.hash,
    parentBeaconBlockRoot: ZERO_HASH,
  })
  // As the parent left it: a transaction of this block that sets it speaks of the next one.
  const baseEvent = network.kind === 'merged-mining' ? baseEventOf(plan.state) : EMPTY_BYTES
  const running = engine.open(context)
  const { receipts: ofUsers, rejected } = runCandidates(engine, network, { ...plan, running })
  const receipts = closeBlock(engine, network, { running, state: plan.state, receipts: ofUsers })
  const ran = { running, state: plan.state, receipts, withdrawals }
  const requests = postExecution(engine, network, ran)
  const state = plan.state.seal()
  const body = { receipts, uncles, withdrawals, requests }
  const block = sealBlock(network, { parent, context, state, baseEvent, finish, ...body })
  return { block, state, rejected }
}

/** Runs what fits, in order. A sender's later transactions wait when an earlier one does not run. */
function runCandidates(
  engine: Engine,
  network: Network,
  { running, candidates, state }: AssemblyPlan & { readonly running: RunningBlock },
) {
  const { context } = running
  const most = userGasLimit(network, context)
  const priceCap = network.kind === 'merged-mining' ? blockPriceCap(context) : undefined
  const receipts: Receipt[] = []
  const rejected: Rejection[] = []
  const blocked = new Set<Address>()
  let blobsLeft = engine.rules.blobs?.max ?? 0
  const { leastGas } = engine
  for (const { transaction } of candidates) {
    const gasLeft = most - (receipts.at(-1)?.cumulativeGasUsed ?? 0n)
    if (gasLeft < leastGas) break
    if (blocked.has(transaction.sender)) continue
    if (blobCount(transaction) > blobsLeft || !isPossible(transaction, running, { gasLeft, priceCap })) {
      blocked.add(transaction.sender)
      continue
    }
    const outcome = attempt(() => engine.execute(state, running, transaction))
    if (outcome instanceof NodeError) {
      rejected.push({ transaction, error: outcome })
      blocked.add(transaction.sender)
      continue
    }
    blobsLeft -= blobCount(transaction)
    receipts.push(nextReceipt(receipts.at(-1), { transaction, outcome, context }))
  }
  return { receipts, rejected }
}

/** Whether a transaction can be in this block; if not, it can be in a later one. */
function isPossible(
  { gasLimit, maxFeePerGas, maxFeePerBlobGas }: Transaction,
  { context: { baseFeePerGas, minimumGasPrice }, blobBaseFee }: RunningBlock,
  { gasLeft, priceCap }: { readonly gasLeft: bigint; readonly priceCap: bigint | undefined },
): boolean {
  if (gasLimit > gasLeft || maxFeePerGas < baseFeePerGas || maxFeePerGas < minimumGasPrice) return false
  if (maxFeePerBlobGas !== undefined && maxFeePerBlobGas < blobBaseFee) return false
  return priceCap === undefined || maxFeePerGas <= priceCap
}

function attempt(execute: () => Outcome): Outcome | NodeError {
  try {
    return execute()
  } catch (error) {
    if (error instanceof NodeError) return error
    throw error
  }
}
