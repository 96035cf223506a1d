/** Makes the block after a parent out of pooled or known transactions. It changes neither the chain nor the pool. */

import { PHRASES } from '../../config/phrases.ts'
import { NodeError, type ErrorKind } from '../../base/errors.ts'
import { nextTurn } from '../../base/host.ts'
import type { Address } from '../../base/hex.ts'
import { NotLoadedError, finish, type Routine } from '../../base/routine.ts'
import { BlockProcessor } from '../block-processor.ts'
import { blockContextOf } from '../ancestors.ts'
import type { Block, Receipt } from '../block.ts'
import { ChainEntry } from '../chain-entry.ts'
import { gasForTransactions } from '../fees.ts'
import type { Withdrawal } from '../../networks/consensus/withdrawals.ts'
import type { Network } from '../../config/network.ts'
import type { Engine } from '../../evm/engine.ts'
import type { RunningBlock } from '../../evm/machine/environment.ts'
import type { CallTimer } from '../../evm/observer.ts'
import { isSystemTransaction } from '../../evm/system-transaction.ts'
import { blobCount, type Transaction } from '../../evm/transaction.ts'
import type { PooledTransaction } from '../mempool/mempool.ts'
import { inBlockOrder, pendingTransactions } from '../mempool/pending.ts'
import { State } from '../../state/state.ts'
import type { MinerDependencies } from './miner-dependencies.ts'
import type { NextBlock } from './next-block.ts'
import { sealBlock, type FinishBlock } from './seal.ts'

export interface AssemblyInput extends NextBlock {
  /** Working copy of the state after the parent. */
  readonly state: State
  readonly finish: FinishBlock
  /** Times the executions, which do not pause without it. */
  readonly timer?: CallTimer | undefined
  /** Transactions in the order in which they should run. Those that do not fit are left out. */
  readonly candidates: Iterable<Pick<PooledTransaction, 'transaction'>>
  /** Credited after the transactions (EIP-4895). */
  readonly withdrawals?: readonly Withdrawal[] | undefined
}

export interface Rejection {
  readonly transaction: Transaction
  readonly error: Error
}

/** Whether the transaction was rejected because the node itself failed. */
export const isFault = ({ error }: Rejection): boolean =>
  !(error instanceof NodeError) || error.kind === 'internal'

/** A sealed block with the state after it, and the rejected transactions. */
export interface AssembledBlock {
  readonly entry: ChainEntry
  readonly rejected: readonly Rejection[]
}

/** The pooled transactions in the order in which the block takes them. */
export const candidatesFor = ({ context }: NextBlock, { network, order, ...pool }: MinerDependencies) =>
  inBlockOrder(pendingTransactions(pool), context.baseFeePerGas, order, network.kind.consensus.priceTies)

/** Runs the candidates and seals the block. @throws NotLoadedError, after which the state must be reset */
export function* assemble(engine: Engine, network: Network, plan: AssemblyInput): Routine<AssembledBlock> {
  const { parent, context, uncles, withdrawals = [], state: working, timer } = plan
  const { header, hash: parentHash } = parent.block
  const block = new BlockProcessor(engine, network, { state: working, context, parentHash, timer })
  // This reads the base event (IP-535), which transactions change: the header contains its value before them.
  const consensusFields = network.kind.consensus.prepare(header, { uncles, state: working })
  const rejected = yield* runCandidates(engine, network, block, plan)
  yield* block.runSystemTransaction()
  const closed = yield* block.close(withdrawals)
  const state = working.commitRoot()
  const sealed = sealBlock(network, { ...plan, ...closed, consensusFields, state })
  return { entry: new ChainEntry({ block: sealed, state, parent }), rejected }
}

/** Runs the candidates that fit, in order. After a skipped or rejected one, it skips later ones of the same sender. */
function* runCandidates(
  engine: Engine,
  network: Network,
  block: BlockProcessor,
  { candidates, state }: Pick<AssemblyInput, 'candidates' | 'state'>,
): Routine<readonly Rejection[]> {
  const { running } = block
  const gasLimit = gasForTransactions(network, running.context)
  const { blockPriceCap, pooledPrice } = network.kind.consensus
  const { minimumGasPrice } = running.context
  const priceCap = blockPriceCap?.(minimumGasPrice)
  const rejected: Rejection[] = []
  const blocked = new Set<Address>()
  let blobsLeft = engine.rules.blobs?.max ?? 0
  for (const { transaction } of candidates) {
    if (gasLimit - block.gasUsed < engine.minGas) break
    if (blocked.has(transaction.sender)) continue
    const price = pooledPrice(transaction)
    const isPriced = isPossible(transaction, running, { priceCap, price })
    const fits = isPriced && blobCount(transaction) <= blobsLeft && block.hasGasFor(transaction, gasLimit)
    const error = fits ? yield* errorOf(state, block.execute(transaction)) : undefined
    if (!isPriced && blockPriceCap !== undefined)
      rejected.push({ transaction, error: priceError(price, minimumGasPrice, priceCap) })
    if (error !== undefined) rejected.push({ transaction, error })
    if (fits && error === undefined) blobsLeft -= blobCount(transaction)
    else blocked.add(transaction.sender)
  }
  return rejected
}

/** Whether the prices of a transaction fit this block. If not, a later block may include it. */
function isPossible(
  { maxFeePerGas, maxFeePerBlobGas }: Transaction,
  { context: { baseFeePerGas, minimumGasPrice }, blobBaseFee }: RunningBlock,
  { priceCap, price }: { readonly priceCap: bigint | undefined; readonly price: bigint },
): boolean {
  if (maxFeePerGas < baseFeePerGas || price < minimumGasPrice) return false
  if (maxFeePerBlobGas !== undefined && maxFeePerBlobGas < blobBaseFee) return false
  return priceCap === undefined || price <= priceCap
}

function priceError(price: bigint, minimum: bigint, cap: bigint | undefined): NodeError {
  const [kind, name, phrases] =
    price < minimum
      ? (['feeTooLow', 'low', PHRASES.priceBelowMinimum()] as const)
      : (['feeTooHigh', 'high', PHRASES.priceAboveCap()] as const)
  const message = `gas price too ${name}: ${price}, its block takes ${minimum} to ${cap}`
  return new NodeError(kind, message, { phrases })
}

const NOT_OF_TRANSACTION: ReadonlySet<ErrorKind> = new Set(['remoteFailed', 'callTimeout', 'nodeClosed'])

/** Whether the error is not the transaction's fault: data must be loaded or cannot be loaded, or nobody waits for the block. */
const endsBlock = (error: unknown): boolean =>
  error instanceof NotLoadedError || (error instanceof NodeError && NOT_OF_TRANSACTION.has(error.kind))

function* errorOf(state: State, execution: Routine<Receipt>): Routine<Error | undefined> {
  try {
    yield* execution
    return undefined
  } catch (error) {
    if (endsBlock(error)) throw error
    state.revertTo(0)
    return error instanceof Error ? error : new Error(String(error))
  }
}

/**
 * The receipts of a block whose other members and transactions are known, as a state file without receipts has them.
 * @throws NodeError 'invalidState' when the roots differ from those of the header, for example because the node that made
 * the block has other rules
 */
export async function recomputeReceipts(
  { engine, network }: { readonly engine: Engine; readonly network: Network },
  block: Block,
  parent: ChainEntry,
  transactions: readonly Transaction[],
): Promise<readonly Receipt[]> {
  const assembly = assemble(engine, network, {
    parent,
    context: blockContextOf(new ChainEntry({ block, state: parent.state, parent }), network),
    state: new State(parent.state),
    uncles: block.uncles,
    withdrawals: block.withdrawals,
    // The block processor adds the system transaction.
    candidates: transactions
      .filter((transaction) => !isSystemTransaction(transaction))
      .map((transaction) => ({ transaction })),
    finish: (content) => ({ ...content, hash: block.hash }),
    timer: { onSlice: nextTurn },
  })
  const { entry, rejected } = await finish(assembly)
  const { header, receipts } = entry.block
  const { number, transactionsRoot, receiptsRoot } = block.header
  if (header.transactionsRoot === transactionsRoot && header.receiptsRoot === receiptsRoot) return receipts
  throw new NodeError(
    'invalidState',
    `the receipts of block ${number} are not in the state file, and running its transactions on this node makes others`,
    { cause: rejected[0]?.error },
  )
}
