/** Methods that return transactions and receipts. */

import { expect, test } from '@jest/globals'
import { call, freshNode } from '../../support/node.ts'
import { COW1 } from '../../support/signing.ts'
import { TO, UNKNOWN, afterTransfer } from '../../support/mined-transfer.ts'

test('transactions by block and index have the member _id, and others do not', async () => {
  const { node, hash, block } = await afterTransfer()
  const plain = await call(node, 'eth_getTransactionByHash', [hash])
  expect(plain).not.toHaveProperty('_id')
  for (const [method, where] of [
    ['eth_getTransactionByBlockHashAndIndex', block.hash],
    ['eth_getTransactionByBlockNumberAndIndex', block.number],
  ]) {
    expect(await call(node, method, [where, '0x0'])).toEqual({ ...plain, _id: hash })
  }
})

test('eth_getTransactionBySenderAndNonce finds mined and pooled transactions', async () => {
  const { node, from, hash } = await afterTransfer()
  const find = async (sender: unknown, nonce: string) =>
    (await call(node, 'eth_getTransactionBySenderAndNonce', [sender, nonce]))?.hash
  const send = () => call(node, 'eth_sendTransaction', [{ from, to: TO }])
  await call(node, 'hardhat_mine', ['0x3'])
  const second = await send()
  await call(node, 'evm_mine')
  await call(node, 'evm_setAutomine', [false])
  const waiting = await send()
  const nonces = ['0x0', '0x1', '0x2', '0x3']
  expect(await Promise.all(nonces.map((nonce) => find(from, nonce)))).toEqual([
    hash,
    second,
    waiting,
    undefined,
  ])
  expect(await find(TO, '0x0')).toBeUndefined()
})

test("eth_getBlockReceipts returns the receipts of a block's transactions", async () => {
  const { node, hash, block } = await afterTransfer()
  const receipt = await call(node, 'eth_getTransactionReceipt', [hash])
  expect(await call(node, 'eth_getBlockReceipts', [block.hash])).toEqual([receipt])
  expect(await call(node, 'eth_getBlockReceipts', [UNKNOWN])).toBeNull()
  expect(await call(node, 'eth_getBlockReceipts', ['pending'])).toBeNull()
})

test('eth_pendingTransactions lists transactions of accounts that are or were impersonated', async () => {
  const node = await freshNode({ mining: false })
  const [from] = await call(node, 'eth_accounts')
  const others = [`0x${'77'.repeat(20)}`, `0x${'78'.repeat(20)}`]
  for (const sender of others) await call(node, 'hardhat_setBalance', [sender, '0xde0b6b3a7640000'])
  const send = (sender: string) =>
    call(node, 'eth_sendTransaction', [{ from: sender, to: COW1, value: '0x1', gas: '0x5208' }])
  await call(node, 'hardhat_impersonateAccount', [others[0]])
  const hashes = [await send(from), await send(others[0]!)]
  await call(node, 'hardhat_stopImpersonatingAccount', [others[0]])
  hashes.push(await call(node, 'eth_sendUnsignedTransaction', [{ from: others[1], to: COW1, gas: '0x5208' }]))
  const listed = await call(node, 'eth_pendingTransactions')
  expect(listed.map(({ hash }: { hash: string }) => hash)).toEqual(hashes)
})
