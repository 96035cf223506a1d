/** Renders blocks with transactions, receipts and logs for responses. Keys have the order of node-rpc 4.1. */

import type * as z from 'zod'
import { toHex, toQuantity } from '../../base/hex.ts'
import { cumulativeDifficulty, uncleHashesOf, type Block, type Receipt } from '../../chain/block.ts'
import type { PolledLog } from '../../chain/filters/filters.ts'
import { ZERO_HASH } from '../../chain/header.ts'
import type { ResolvedBlock } from '../../chain/miner/block-resolver.ts'
import { blockSize } from '../../chain/raw-forms.ts'
import type { Dialect } from '../../config/dialect.ts'
import type { Outcome } from '../../evm/outcome.ts'
import { hasGasPrice, type Authorization, type Transaction } from '../../evm/transaction.ts'
import type { Consensus } from '../../networks/consensus/consensus.ts'
import type {
  blockObject,
  headerObject,
  logObject,
  receiptObject,
  transactionObject,
} from '../../schema/results.ts'

type BlockObject = z.input<typeof blockObject>

/** A block to render; its state is not needed. */
type Shown = Pick<ResolvedBlock, 'block' | 'isPending'>

/**
 * A block with its transactions or their hashes. A pending block has no hash, nonce and bloom (service spec, "Block object"). By
 * the spec its number is null too, but ethers cannot read that, so this node returns it.
 */
export function renderBlock(resolved: Shown, isFull: boolean): BlockObject {
  const { block, isPending } = resolved
  const { header } = block
  return {
    number: toQuantity(header.number),
    hash: isPending ? null : block.hash,
    parentHash: header.parentHash,
    mixHash: header.mixHash,
    nonce: isPending ? null : toHex(header.nonce),
    sha3Uncles: header.unclesHash,
    logsBloom: isPending ? null : toHex(header.logsBloom),
    transactionsRoot: header.transactionsRoot,
    stateRoot: header.stateRoot,
    receiptsRoot: header.receiptsRoot,
    miner: header.coinbase,
    difficulty: toQuantity(header.difficulty),
    totalDifficulty: toQuantity(block.totalDifficulty),
    extraData: toHex(header.extraData),
    size: toQuantity(blockSize(block)),
    gasLimit: toQuantity(header.gasLimit),
    gasUsed: toQuantity(header.gasUsed),
    timestamp: toQuantity(header.timestamp),
    transactions: renderTransactions(resolved, isFull),
    uncles: uncleHashesOf(block),
    ...header.consensus.blockMembers({
      header,
      withdrawals: block.withdrawals,
      // Computed only for blocks that show it, because a remote block's uncles may have to be loaded.
      get cumulativeDifficulty() {
        return cumulativeDifficulty(block)
      },
    }),
  }
}

/** The header of a block: its members without the body. */
export const renderHeader = (resolved: Shown): z.input<typeof headerObject> =>
  withoutBody(renderBlock(resolved, false))

const withoutBody = ({ size: _, transactions: __, uncles: ___, withdrawals: ____, ...header }: BlockObject) =>
  header

function renderTransactions({ block, isPending }: Shown, isFull: boolean): BlockObject['transactions'] {
  if (!isFull) return block.receipts.map(({ transaction }) => transaction.hash)
  const consensus = block.header.consensus
  if (isPending) return block.receipts.map(({ transaction }) => renderPending(transaction, consensus))
  return block.receipts.map((receipt) => renderMined(block, receipt))
}

type TransactionObject = z.input<typeof transactionObject>

export function renderMined({ header, hash }: Block, receipt: Receipt): TransactionObject {
  return {
    ...rendered(receipt.transaction, receipt.effectiveGasPrice),
    blockHash: hash,
    blockNumber: toQuantity(header.number),
    blockTimestamp: toQuantity(header.timestamp),
    transactionIndex: toQuantity(receipt.index),
  }
}

/** A transaction that is not mined, with the price that the consensus gives it in the pool. */
export function renderPending(
  transaction: Transaction,
  { pooledPrice }: Pick<Consensus, 'pooledPrice'>,
): TransactionObject {
  return rendered(transaction, pooledPrice(transaction))
}

function rendered(transaction: Transaction, gasPrice: bigint): TransactionObject {
  return {
    hash: transaction.hash,
    nonce: toQuantity(transaction.nonce),
    blockHash: null,
    blockNumber: null,
    blockTimestamp: null,
    transactionIndex: null,
    from: transaction.sender,
    to: transaction.to ?? null,
    gas: toQuantity(transaction.gasLimit),
    gasPrice: toQuantity(gasPrice),
    value: toQuantity(transaction.value),
    input: toHex(transaction.data),
    v: toQuantity(transaction.v),
    r: toQuantity(transaction.r),
    s: toQuantity(transaction.s),
    type: toQuantity(transaction.type),
    ...typedFields(transaction),
    ...transaction.remoteMembers,
  }
}

/** Members that only some types of transaction have. */
function typedFields(transaction: Transaction): Partial<TransactionObject> {
  const { type, chainId, accessList, authorizationList, mint } = transaction
  return {
    ...(chainId !== undefined && { chainId: toQuantity(chainId) }),
    ...(accessList && { accessList, yParity: toQuantity(transaction.v) }),
    ...(!hasGasPrice(type) && {
      maxFeePerGas: toQuantity(transaction.maxFeePerGas),
      maxPriorityFeePerGas: toQuantity(transaction.maxPriorityFeePerGas),
    }),
    ...blobFields(transaction),
    ...(mint !== undefined && { mint: toQuantity(mint) }),
    ...(authorizationList && { authorizationList: authorizationList.map(renderAuthorization) }),
  }
}

const renderAuthorization = ({ address, ...numbers }: Authorization) => ({
  chainId: toQuantity(numbers.chainId),
  address,
  nonce: toQuantity(numbers.nonce),
  yParity: toQuantity(numbers.yParity),
  r: toQuantity(numbers.r),
  s: toQuantity(numbers.s),
})

function blobFields({ maxFeePerBlobGas, blobVersionedHashes }: Transaction): Partial<TransactionObject> {
  if (maxFeePerBlobGas === undefined || blobVersionedHashes === undefined) return {}
  return { maxFeePerBlobGas: toQuantity(maxFeePerBlobGas), blobVersionedHashes }
}

export function renderReceipt(block: Block, receipt: Receipt): z.input<typeof receiptObject> {
  const { transaction, outcome } = receipt
  return {
    transactionHash: transaction.hash,
    transactionIndex: toQuantity(receipt.index),
    blockHash: block.hash,
    blockNumber: toQuantity(block.header.number),
    cumulativeGasUsed: toQuantity(receipt.cumulativeGasUsed),
    gasUsed: toQuantity(outcome.gasUsed),
    // For every contract creation, even a failed one (node-rpc 4.3).
    contractAddress: outcome.contractAddress ?? null,
    logs: outcome.logs.map((log, position) =>
      renderLog({ log, logIndex: receipt.firstLogIndex + position, receipt, block, removed: false }),
    ),
    from: transaction.sender,
    to: transaction.to ?? null,
    ...statusMember(outcome),
    logsBloom: toHex(outcome.logsBloom),
    type: toQuantity(transaction.type),
    effectiveGasPrice: toQuantity(receipt.effectiveGasPrice),
    ...(outcome.blobGas && {
      blobGasUsed: toQuantity(outcome.blobGas.used),
      blobGasPrice: toQuantity(outcome.blobGas.price),
    }),
    ...outcome.remoteMembers,
  }
}

/** The status, or the state root of a receipt from before Byzantium, which does not tell the status (EIP-658). */
const statusMember = ({ status, postState }: Outcome) =>
  postState === undefined ? { status: status === 'success' ? '0x1' : '0x0' } : { root: postState }

export function renderLog(placed: PolledLog): z.input<typeof logObject> {
  const { log, block, receipt } = placed
  return {
    logIndex: toQuantity(placed.logIndex),
    blockNumber: toQuantity(block.header.number),
    blockTimestamp: toQuantity(block.header.timestamp),
    blockHash: block.hash,
    transactionHash: receipt.transaction.hash,
    transactionIndex: toQuantity(receipt.index),
    address: log.address,
    data: toHex(log.data),
    topics: log.topics,
    removed: placed.removed,
  }
}

/**
 * A log of the pending block. Its block, transaction and index are null (service spec). In other nodes' dialects it has the values
 * it would have when mined, with a zero block hash, because ethers does not accept null.
 */
export function renderPendingLog(placed: PolledLog, dialect: Dialect): z.input<typeof logObject> {
  const rendered = renderLog(placed)
  return dialect === 'node33' ? { ...rendered, ...NO_PLACE } : { ...rendered, blockHash: ZERO_HASH }
}

const NO_PLACE = {
  logIndex: null,
  blockNumber: null,
  blockHash: null,
  blockTimestamp: null,
  transactionHash: null,
  transactionIndex: null,
}
