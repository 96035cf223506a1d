/** Lists and drops pooled transactions. */

import * as z from 'zod'
import { toQuantity } from '../../base/hex.ts'
import type { Address, Hash } from '../../base/hex.ts'
import { ZERO_HASH } from '../../chain/header.ts'
import type { Dialect } from '../../config/dialect.ts'
import type { Transaction } from '../../evm/transaction.ts'
import { splitPool } from '../../chain/mempool/pending.ts'
import type { BySender } from '../../chain/mempool/pending.ts'
import type { Node } from '../../node/node.ts'
import { quantityText, transactionObject, flag, hashText } from '../../schema/results.ts'
import { address, hash } from '../../schema/wire.ts'
import { method, param } from '../method.ts'
import { renderPending } from '../render/transaction.ts'
import { COW1, UNKNOWN_HASH } from './examples.ts'
import { NodeError } from '../../base/errors.ts'
import { command } from '../control.ts'

/** By sender and nonce: one transaction in geth; in the reference a list of one, and senders without `0x`. */
function poolShape<Leaf extends z.ZodType>(leaf: Leaf) {
  const shape = <Value extends z.ZodType>(sender: RegExp, value: Value) => {
    const part = z.record(z.string().regex(sender), z.record(z.string().regex(/^\d+$/), value))
    return z.strictObject({ pending: part, queued: part })
  }
  return z.union([shape(/^0x[0-9a-f]{40}$/, leaf), shape(/^[0-9a-f]{40}$/, z.array(leaf))])
}

const count = z.union([quantityText, z.int()])

export const status = method({
  name: 'txpool_status',
  summary:
    'Number of transactions that the next blocks can take, and of those behind a gap in the nonces. JSON integers in dialect node33, quantities in the others.',
  result: z.strictObject({ pending: count, queued: count }),
  example: { params: [], result: { pending: 0, queued: 0 } },
  run: (_, node, { dialect }) => {
    const { pending, queued } = splitPool(node.mempool, node.chain.head.state)
    return { pending: rendered(sizeOf(pending), dialect), queued: rendered(sizeOf(queued), dialect) }
  },
})

const sizeOf = (part: BySender): number =>
  [...part.values()].reduce((total, pooled) => total + pooled.length, 0)

const rendered = (size: number, dialect: Dialect) => (dialect === 'node33' ? size : toQuantity(size))

export const content = method({
  name: 'txpool_content',
  summary:
    'The pooled transactions by sender and nonce. In dialect node33 senders are without `0x`, and each nonce has a list.',
  result: poolShape(transactionObject),
  example: { params: [], result: { pending: {}, queued: {} } },
  run: (_, node, { dialect }) =>
    dialect === 'node33'
      ? arranged(node, bareSender, listedTransaction)
      : arranged(node, fullSender, renderPending),
})

const poolOfSender = z.record(
  z.string().regex(/^\d+$/),
  z.union([transactionObject, z.array(transactionObject)]),
)

export const contentFrom = method({
  name: 'txpool_contentFrom',
  summary: 'The pooled transactions of a sender by nonce. In dialect node33 each nonce has a list.',
  params: [param('address', address, 'Sender.')],
  result: z.strictObject({ pending: poolOfSender, queued: poolOfSender }),
  example: {
    params: [COW1],
    result: { pending: {}, queued: {} },
  },
  run: ({ address: sender }, { mempool, chain }, { dialect }) => {
    const { pending, queued } = splitPool(mempool, chain.head.state)
    const part = (bySender: BySender) => {
      const pooled = bySender.get(sender) ?? []
      return dialect === 'node33' ? byNonce(pooled, listedTransaction) : byNonce(pooled, renderPending)
    }
    return { pending: part(pending), queued: part(queued) }
  },
})

export const inspect = method({
  name: 'txpool_inspect',
  summary: 'The pooled transactions by sender and nonce, each as a line of text.',
  result: poolShape(z.string()),
  example: { params: [], result: { pending: {}, queued: {} } },
  run: (_, node, { dialect }) =>
    dialect === 'node33'
      ? arranged(node, bareSender, (transaction) => [referenceLine(transaction)])
      : arranged(node, fullSender, gethLine),
})

/** Transactions of these lists have the zero hash as their block hash (service spec, "Transaction object"). */
const listedTransaction = (transaction: Transaction) => [
  { ...renderPending(transaction), blockHash: ZERO_HASH },
]

const fullSender = (sender: Address): string => sender
const bareSender = (sender: Address): string => sender.slice(2)

/** node-rpc 5.13. */
const referenceLine = ({ to, value, gasLimit, maxFeePerGas }: Transaction): string =>
  `${to?.slice(2) ?? ''}: ${value} wei + ${gasLimit} x ${maxFeePerGas} gas`

/** geth, internal/ethapi/api.go. */
const gethLine = ({ to, value, gasLimit, maxFeePerGas }: Transaction): string =>
  `${to ?? 'contract creation'}: ${value} wei + ${gasLimit} gas × ${maxFeePerGas} wei`

function arranged<Leaf>(
  { mempool, chain }: Node,
  keyOf: (sender: Address) => string,
  leafOf: (transaction: Transaction) => Leaf,
) {
  const part = (bySender: BySender) =>
    Object.fromEntries([...bySender].map(([sender, pooled]) => [keyOf(sender), byNonce(pooled, leafOf)]))
  const { pending, queued } = splitPool(mempool, chain.head.state)
  return { pending: part(pending), queued: part(queued) }
}

function byNonce<Leaf>(
  pooled: readonly { readonly transaction: Transaction }[],
  leafOf: (transaction: Transaction) => Leaf,
) {
  return Object.fromEntries(
    pooled.map(({ transaction }) => [transaction.nonce.toString(), leafOf(transaction)]),
  )
}

/** @throws NodeError 'invalidParams' for a transaction that is in a block */
function drop({ chain, mempool }: Node, wanted: Hash): boolean {
  if (chain.receipt(wanted) !== undefined) {
    throw new NodeError(
      'invalidParams',
      `params[0] (hash): transaction ${wanted} is in a block, only a pooled transaction can be dropped`,
    )
  }
  const isPooled = mempool.get(wanted) !== undefined
  mempool.remove([wanted])
  return isPooled
}

export const dropTransaction = method({
  name: 'hardhat_dropTransaction',
  aliases: ['ganache_dropTransaction'],
  summary: 'Removes a transaction from the mempool; false if it is not pooled.',
  params: [param('hash', hash, 'Hash of the transaction.')],
  result: flag,
  access: 'write',
  example: { params: [UNKNOWN_HASH], result: false },
  run: ({ hash: wanted }, node) => drop(node, wanted),
})

export const dropTransactionOfAnvil = method({
  name: 'anvil_dropTransaction',
  summary: 'As hardhat_dropTransaction; returns the hash, or null if the transaction is not pooled.',
  params: [param('hash', hash, 'Hash of the transaction.')],
  result: hashText.nullable(),
  access: 'write',
  example: { params: [UNKNOWN_HASH], result: null },
  run: ({ hash: wanted }, node) => (drop(node, wanted) ? wanted : null),
})

export const dropAllTransactions = command({
  name: 'anvil_dropAllTransactions',
  aliases: ['hardhat_dropAllTransactions', 'debug_clearTxpool'],
  summary: 'Removes every transaction from the mempool.',
  example: { params: [], result: null },
  run: (_, { mempool }) => mempool.remove([...mempool.all()].map(({ transaction }) => transaction.hash)),
})

export const removePoolTransactions = command({
  name: 'anvil_removePoolTransactions',
  summary: 'Removes every transaction of a sender from the mempool.',
  params: [param('address', address, 'Sender.')],
  example: { params: [COW1], result: null },
  run: ({ address: sender }, { mempool }) =>
    mempool.remove(mempool.from(sender).map(({ transaction }) => transaction.hash)),
})
