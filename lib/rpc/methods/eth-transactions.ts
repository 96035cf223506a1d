/** Methods that read transactions, their receipts and their blobs. */

import * as z from 'zod'
import { transactionBySenderAndNonce } from '../../chain/search.ts'
import { isImpersonated, type Transaction } from '../../evm/transaction.ts'
import { receiptObject, transactionObject, dataText } from '../../schema/results.ts'
import { address, hash, index, quantity64 } from '../../schema/wire.ts'
import { blockReaders } from '../block-readers.ts'
import { param, readMethod } from '../../kernel/method.ts'
import { renderMined, renderPending, renderReceipt } from '../render/block.ts'
import { COW1, UNKNOWN_HASH, anyBlock, ofBlock, transactionHash } from './params.ts'
import { toHex, type Hash } from '../../base/hex.ts'
import type { Node } from '../../node/node.ts'

type PooledChain = Pick<Node, 'blockResolver' | 'chain' | 'consensus' | 'mempool' | 'sidecars'>

type AccountPool = PooledChain & Pick<Node, 'impersonation' | 'keystore'>

export const getTransactionByHash = readMethod({
  name: 'eth_getTransactionByHash',
  summary: 'A mined or pooled transaction, or null.',
  params: [transactionHash],
  result: transactionObject.nullable(),
  example: { params: [UNKNOWN_HASH], result: null },
  run: ({ hash: wanted }, { chain, mempool, consensus }: PooledChain) => {
    // The pool comes first, so that the remote is not asked for what it cannot have.
    const pooled = mempool.get(wanted)
    if (pooled !== undefined) return renderPending(pooled.transaction, consensus)
    const mined = chain.receipt(wanted)
    return mined === undefined ? null : renderMined(mined.entry.block, mined.receipt)
  },
})

export const getTransactionBySenderAndNonce = readMethod({
  name: 'eth_getTransactionBySenderAndNonce',
  summary: 'The mined or pooled transaction of a sender with a nonce, or null.',
  params: [param('sender', address, 'Its sender.'), param('nonce', quantity64, 'Its nonce.')],
  result: transactionObject.nullable(),
  example: { params: [COW1, '0x0'], result: null },
  run: ({ sender, nonce }, { chain, mempool, consensus }: PooledChain) => {
    const pooled = mempool.find(sender, nonce)
    if (pooled !== undefined) return renderPending(pooled.transaction, consensus)
    const mined = transactionBySenderAndNonce(chain, sender, nonce)
    return mined === undefined ? null : renderMined(mined.entry.block, mined.receipt)
  },
})

export const getTransactionAt = blockReaders(
  {
    name: 'eth_getTransactionByBlockHashAndIndex',
    blockParam: 'blockHash',
    example: { params: [UNKNOWN_HASH, '0x0'], result: null },
  },
  { name: 'eth_getTransactionByBlockNumberAndIndex', example: { params: ['latest', '0x0'], result: null } },
  {
    summary: 'A transaction by its position in a block, or null.',
    params: [param('index', index, 'Position in the block.')],
    result: transactionObject.nullable(),
    run: ({ block, index: position }, { blockResolver, consensus }: PooledChain) => {
      const resolved = blockResolver.find(block)
      const receipt = resolved?.block.receipts[position]
      if (resolved === undefined || receipt === undefined) return null
      const { transaction } = receipt
      const rendered = resolved.isPending
        ? renderPending(transaction, consensus)
        : renderMined(resolved.block, receipt)
      // The spec has this member but no meaning for it; the hash identifies the transaction everywhere.
      return { ...rendered, _id: transaction.hash }
    },
  },
)

export const getTransactionReceipt = readMethod({
  name: 'eth_getTransactionReceipt',
  summary: 'The receipt of a mined transaction, or null.',
  params: [transactionHash],
  result: receiptObject.nullable(),
  example: { params: [UNKNOWN_HASH], result: null },
  run: ({ hash: wanted }, { chain, mempool }: PooledChain) => {
    if (mempool.get(wanted) !== undefined) return null
    const mined = chain.receipt(wanted)
    return mined === undefined ? null : renderReceipt(mined.entry.block, mined.receipt)
  },
})

export const getBlockReceipts = readMethod({
  name: 'eth_getBlockReceipts',
  summary: 'The receipts of a block, or null. A pending block has none yet.',
  params: [anyBlock],
  result: z.array(receiptObject).nullable(),
  example: { params: ['latest'], result: [] },
  run: ofBlock(({ block, isPending }) =>
    isPending ? undefined : block.receipts.map((receipt) => renderReceipt(block, receipt)),
  ),
})

export const pendingTransactions = readMethod({
  name: 'eth_pendingTransactions',
  summary:
    'Pooled transactions that the next blocks can take, of own and of impersonated accounts; in dialect hardhat the others too.',
  result: z.array(transactionObject),
  example: { params: [], result: [] },
  run: (_, { mempool, chain, keystore, impersonation, consensus }: AccountPool, { dialect }) => {
    // Includes transactions of senders whose impersonation has ended.
    const isOwn = (transaction: Transaction) =>
      keystore.has(transaction.sender) || impersonation.has(transaction.sender) || isImpersonated(transaction)
    return [...new Set([...keystore.addresses, ...mempool.senders()])]
      .flatMap((sender) =>
        dialect === 'hardhat'
          ? mempool.from(sender)
          : mempool.pending(sender, chain.head.state.nonce(sender)),
      )
      .filter(({ transaction }) => isOwn(transaction))
      .map(({ transaction }) => renderPending(transaction, consensus))
  },
})

const findTransaction = ({ chain, mempool }: PooledChain, wanted: Hash): Transaction | undefined =>
  chain.receipt(wanted)?.receipt.transaction ?? mempool.get(wanted)?.transaction

export const getBlobsByTransactionHash = readMethod({
  name: 'anvil_getBlobsByTransactionHash',
  summary: 'The blobs of a mined or pooled transaction, or null. The node keeps the newest 1024 blobs.',
  params: [transactionHash],
  result: z.array(dataText).nullable(),
  example: { params: [UNKNOWN_HASH], result: null },
  run: ({ hash: wanted }, node: PooledChain) => {
    const sidecar = findTransaction(node, wanted) && node.sidecars.get(wanted)
    return sidecar === undefined ? null : sidecar.blobs.map(toHex)
  },
})

export const getBlobByHash = readMethod({
  name: 'anvil_getBlobByHash',
  summary: 'The blob with a versioned hash, of a transaction in a block or in the pool, or null.',
  params: [param('versionedHash', hash, 'Versioned hash of the blob, which its transaction contains.')],
  result: dataText.nullable(),
  example: { params: [UNKNOWN_HASH], result: null },
  run: ({ versionedHash }, node: PooledChain) => {
    for (const [transactionHash, { blobs }] of node.sidecars.kept.value) {
      const index = findTransaction(node, transactionHash)?.blobVersionedHashes?.indexOf(versionedHash) ?? -1
      const blob = blobs[index]
      if (blob !== undefined) return toHex(blob)
    }
    return null
  },
})
