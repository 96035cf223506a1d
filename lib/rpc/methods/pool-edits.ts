/** Methods that remove transactions from the mempool. */

import type { Hash } from '../../base/hex.ts'
import { NodeError } from '../../base/errors.ts'
import type { Node } from '../../node.ts'
import { flag, hashText } from '../../schema/results.ts'
import { address, hash } from '../../schema/wire.ts'
import { command } from '../control.ts'
import { method, param } from '../method.ts'
import { COW1, UNKNOWN_HASH } from './examples.ts'

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
