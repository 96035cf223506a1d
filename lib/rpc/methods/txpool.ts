/** Lists and drops pooled transactions. */

import { invalidParams } from '../../base/errors.ts'
import * as z from 'zod'
import { toQuantity, type Hash } from '../../base/hex.ts'
import { ZERO_HASH } from '../../chain/header.ts'
import type { Transaction } from '../../evm/transaction.ts'
import { splitPool, type BySender } from '../../chain/mempool/pending.ts'
import type { Node } from '../../node/node.ts'
import { quantityText, transactionObject, flag, hashText } from '../../schema/results.ts'
import { address } from '../../schema/wire.ts'
import { param, readMethod, writeMethod } from '../../kernel/method.ts'
import { renderPending } from '../render/block.ts'
import { COW1, UNKNOWN_HASH, transactionHash } from './params.ts'
import { command } from '../../kernel/control.ts'

type PooledChain = Pick<Node, 'chain' | 'consensus' | 'mempool'>

/** By sender and nonce. geth has one transaction; the reference has a list of one, and senders without `0x`. */
function poolShape<Leaf extends z.ZodType>(leaf: Leaf) {
  const shape = <Value extends z.ZodType>(sender: RegExp, value: Value) => {
    const part = z.record(z.string().regex(sender), z.record(z.string().regex(/^\d+$/), value))
    return z.strictObject({ pending: part, queued: part })
  }
  return z.union([shape(/^0x[0-9a-f]{40}$/, leaf), shape(/^[0-9a-f]{40}$/, z.array(leaf))])
}

const count = z.union([quantityText, z.int()])

export const status = readMethod({
  name: 'txpool_status',
  summary:
    'Number of transactions that the next blocks can take, and of those behind a gap in the nonces: JSON integers in dialect node33, else quantities.',
  result: z.strictObject({ pending: count, queued: count }),
  example: { params: [], result: { pending: 0, queued: 0 } },
  run: (_, node: PooledChain, { dialect }) =>
    ofBoth(node, (part) => {
      const size = [...part.values()].flat().length
      return dialect === 'node33' ? size : toQuantity(size)
    }),
})

/** Both parts of the pool, each rendered. */
function ofBoth<Part>({ mempool, chain }: PooledChain, render: (part: BySender) => Part) {
  const { pending, queued } = splitPool(mempool, chain.head.state)
  return { pending: render(pending), queued: render(queued) }
}

export const content = readMethod({
  name: 'txpool_content',
  summary: 'Pooled transactions by sender and nonce; in dialect node33 in lists, senders without `0x`.',
  result: poolShape(transactionObject),
  example: { params: [], result: { pending: {}, queued: {} } },
  run: (_, node: PooledChain, { dialect }) =>
    dialect === 'node33'
      ? ofBoth(node, bySender(2, listed(node)))
      : ofBoth(node, bySender(0, renderPooled(node))),
})

const nonceText = z.string().regex(/^\d+$/)
const poolOfSender = z.record(nonceText, z.union([transactionObject, z.array(transactionObject)]))

export const contentFrom = readMethod({
  name: 'txpool_contentFrom',
  summary: 'The pooled transactions of a sender by nonce. In dialect node33 each nonce has a list.',
  params: [param('address', address, 'Sender.')],
  result: z.strictObject({ pending: poolOfSender, queued: poolOfSender }),
  example: { params: [COW1], result: { pending: {}, queued: {} } },
  run: ({ address: sender }, node: PooledChain, { dialect }) =>
    ofBoth(node, (part) => {
      const pooled = part.get(sender) ?? []
      return dialect === 'node33' ? byNonce(pooled, listed(node)) : byNonce(pooled, renderPooled(node))
    }),
})

export const inspect = readMethod({
  name: 'txpool_inspect',
  summary: 'The pooled transactions by sender and nonce, each as a line of text.',
  result: poolShape(z.string()),
  example: { params: [], result: { pending: {}, queued: {} } },
  run: (_, node: PooledChain, { dialect }) =>
    dialect === 'node33' ? ofBoth(node, bySender(2, referenceLine)) : ofBoth(node, bySender(0, gethLine)),
})

const renderPooled =
  ({ consensus }: Pick<Node, 'consensus'>) =>
  (transaction: Transaction) =>
    renderPending(transaction, consensus)

/** Transactions in these lists have a zero block hash (service spec, "Transaction object"). */
const listed = (node: Pick<Node, 'consensus'>) => (transaction: Transaction) => [
  { ...renderPooled(node)(transaction), blockHash: ZERO_HASH },
]

/** node-rpc 5.13. */
const referenceLine = ({ to, value, gasLimit, maxFeePerGas }: Transaction): string[] => [
  `${to?.slice(2) ?? ''}: ${value} wei + ${gasLimit} x ${maxFeePerGas} gas`,
]

/** geth, internal/ethapi/api.go. */
const gethLine = ({ to, value, gasLimit, maxFeePerGas }: Transaction): string =>
  `${to ?? 'contract creation'}: ${value} wei + ${gasLimit} gas × ${maxFeePerGas} wei`

/** Renders a part of the pool without the first `prefixLength` characters of each sender. */
const bySender =
  <Leaf>(prefixLength: number, leafOf: (transaction: Transaction) => Leaf) =>
  (part: BySender) =>
    Object.fromEntries(
      [...part].map(([sender, pooled]) => [sender.slice(prefixLength), byNonce(pooled, leafOf)]),
    )

function byNonce<Leaf>(
  pooled: readonly { readonly transaction: Transaction }[],
  leafOf: (transaction: Transaction) => Leaf,
) {
  return Object.fromEntries(
    pooled.map(({ transaction }) => [transaction.nonce.toString(), leafOf(transaction)]),
  )
}

/** Drops a pooled transaction. @throws NodeError 'invalidParams' for a transaction in a block */
function drop({ chain, mempool }: PooledChain, wanted: Hash): boolean {
  if (chain.receipt(wanted) !== undefined) {
    throw invalidParams(
      `params[0] (hash): transaction ${wanted} is in a block, only a pooled transaction can be dropped`,
    )
  }
  const isPooled = mempool.get(wanted) !== undefined
  mempool.remove([wanted])
  return isPooled
}

export const dropTransaction = writeMethod({
  name: 'hardhat_dropTransaction',
  aliases: ['ganache_dropTransaction'],
  summary: 'Removes a transaction from the mempool; false if it is not pooled.',
  params: [transactionHash],
  result: flag,
  example: { params: [UNKNOWN_HASH], result: false },
  run: ({ hash: wanted }, node: PooledChain) => drop(node, wanted),
})

export const dropTransactionOfAnvil = writeMethod({
  name: 'anvil_dropTransaction',
  summary: 'As hardhat_dropTransaction; returns the hash, or null if the transaction is not pooled.',
  params: [transactionHash],
  result: hashText.nullable(),
  example: { params: [UNKNOWN_HASH], result: null },
  run: ({ hash: wanted }, node: PooledChain) => (drop(node, wanted) ? wanted : null),
})

export const dropAllTransactions = command({
  name: 'anvil_dropAllTransactions',
  aliases: ['hardhat_dropAllTransactions', 'debug_clearTxpool'],
  summary: 'Removes every transaction from the mempool.',
  example: { params: [], result: null },
  run: (_, { mempool }: PooledChain) =>
    mempool.remove([...mempool.all()].map(({ transaction }) => transaction.hash)),
})

export const removePoolTransactions = command({
  name: 'anvil_removePoolTransactions',
  summary: 'Removes every transaction of a sender from the mempool.',
  params: [param('address', address, 'Sender.')],
  example: { params: [COW1], result: null },
  run: ({ address: sender }, { mempool }: PooledChain) =>
    mempool.remove(mempool.from(sender).map(({ transaction }) => transaction.hash)),
})
