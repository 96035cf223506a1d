/** Makes the block after a parent out of pooled transactions. It changes neither the chain nor the pool. */

import { NodeError } from '../base/errors.ts'
import type { Address } from '../base/hex.ts'
import { BlockProcessor } from '../chain/block-processor.ts'
import type { Block } from '../chain/block.ts'
import type { ChainEntry } from '../chain/chain-entry.ts'
import { consensusOf } from '../consensus/consensus-of.ts'
import type { Header } from '../consensus/header-fields.ts'
import { userGasLimit } from '../chain/sub-lists.ts'
import { blockPriceCap } from '../consensus/price-caps.ts'
import type { Withdrawal } from '../consensus/withdrawals.ts'
import type { Network } from '../config/network.ts'
import { blobCount } from '../evm/blob-gas.ts'
import type { BlockContext } from '../evm/block-context.ts'
import type { Engine } from '../evm/engine.ts'
import type { RunningBlock } from '../evm/run.ts'
import type { Transaction } from '../evm/transaction.ts'
import type { PooledTransaction } from '../mempool/mempool.ts'
import type { StateRoot } from '../state/state-root.ts'
import type { State } from '../state/state.ts'
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
  const block = new BlockProcessor(engine, network, {
    state: plan.state,
    context,
    parentHash: parent.block.hash,
  })
  // Before the transactions: they change the base event of the next block.
  const ownFields = consensusOf(network).prepare(parent.block.header, { uncles, state: plan.state })
  const rejected = runCandidates(engine, network, block, plan.candidates)
  block.runSystemTransaction()
  const { receipts, requests } = block.close(withdrawals)
  const state = plan.state.seal()
  const input = { parent, context, state, ownFields, finish, receipts, uncles, withdrawals, requests }
  const sealed = sealBlock(network, input)
  return { block: sealed, state, rejected }
}

/** Runs the candidates that fit, in order. After one that does not run, the later ones of its sender wait. */
function runCandidates(
  engine: Engine,
  network: Network,
  block: BlockProcessor,
  candidates: AssemblyPlan['candidates'],
): readonly Rejection[] {
  const { running } = block
  const gasLimit = userGasLimit(network, running.context)
  const priceCap = consensusOf(network).hasMinimumGasPrice ? blockPriceCap(running.context) : undefined
  const rejected: Rejection[] = []
  const blocked = new Set<Address>()
  let blobsLeft = engine.rules.blobs?.max ?? 0
  const { minGas } = engine
  for (const { transaction } of candidates) {
    const gasLeft = gasLimit - block.gasUsed
    if (gasLeft < minGas) break
    if (blocked.has(transaction.sender)) continue
    if (blobCount(transaction) > blobsLeft || !isPossible(transaction, running, { gasLeft, priceCap })) {
      blocked.add(transaction.sender)
      continue
    }
    const error = rejectionOf(() => block.execute(transaction))
    if (error === undefined) {
      blobsLeft -= blobCount(transaction)
      continue
    }
    rejected.push({ transaction, error })
    blocked.add(transaction.sender)
  }
  return rejected
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

/** The error of a transaction that cannot be in this block. */
function rejectionOf(execute: () => void): NodeError | undefined {
  try {
    execute()
    return undefined
  } catch (error) {
    if (error instanceof NodeError) return error
    throw error
  }
}
