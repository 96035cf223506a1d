import { expect, test, describe } from '@jest/globals'
import { call, freshNode } from '../../support/node.ts'
import { COW1 } from '../../support/signing.ts'
import { TO, UNKNOWN, afterTransfer } from '../support/mined-transfer.ts'
import { toHex } from '../../../lib/base/hex.ts'
import type { OptionsInput } from '../../../lib/modules/options.ts'
import type { Node } from '../../../lib/node/node.ts'
import { BLOB, BLOB_HASH, sentBlobs } from '../../support/blobs.ts'

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

const ethereum = (options: OptionsInput = {}): Promise<Node> => freshNode({ network: 'ethereum', ...options })

/** A node with manual mining. */
const manual = (options: OptionsInput = {}): Promise<Node> => ethereum({ noMining: true, ...options })

const send = async (node: Node, ...sent: Parameters<typeof sentBlobs>): Promise<string> =>
  call(node, 'eth_sendRawTransaction', [await sentBlobs(...sent)])

describe('blobs', () => {
  test('are found by transaction and by hash until a revert', async () => {
    const node = await ethereum()
    const before = await call(node, 'evm_snapshot')
    const hash = await send(node, 1, { count: 2 })
    const blob = toHex(BLOB)
    expect(await call(node, 'anvil_getBlobsByTransactionHash', [hash])).toEqual([blob, blob])
    expect(await call(node, 'anvil_getBlobByHash', [BLOB_HASH])).toBe(blob)
    await call(node, 'evm_revert', [before])
    expect(await call(node, 'anvil_getBlobsByTransactionHash', [hash])).toBeNull()
    expect(await call(node, 'anvil_getBlobByHash', [BLOB_HASH])).toBeNull()
    expect(node.sidecars.kept.value.size).toBe(0)
  })

  test('of a block removed by anvil_rollback are not found', async () => {
    const node = await ethereum()
    const hash = await send(node)
    await call(node, 'anvil_rollback', [1])
    expect(await call(node, 'anvil_getBlobsByTransactionHash', [hash])).toBeNull()
    expect(await call(node, 'anvil_getBlobByHash', [BLOB_HASH])).toBeNull()
  })

  test('of a transaction in a block made by anvil_reorg are found', async () => {
    const node = await ethereum()
    const hash = await send(node, 1)
    await call(node, 'anvil_reorg', [1, [[await sentBlobs(1), 0]]])
    expect(await call(node, 'eth_getTransactionReceipt', [hash])).toMatchObject({
      blockNumber: '0x1',
      status: '0x1',
    })
    expect(await call(node, 'anvil_getBlobByHash', [BLOB_HASH])).toBe(toHex(BLOB))
  })

  test('are found in a world that begins with their block', async () => {
    const node = await ethereum()
    const hash = await send(node)
    const { id } = await call(node, 'dev_createWorld')
    const { chain: world } = node.worlds.acquire(id)
    expect(await call(world, 'anvil_getBlobsByTransactionHash', [hash])).toEqual([toHex(BLOB)])
  })

  test('of pooled transactions are in a dumped state, and those of blocks are not', async () => {
    const node = await manual()
    const mined = await send(node, 0, { nonce: 0 })
    await call(node, 'evm_mine')
    const pooled = await send(node, 1, { nonce: 1 })
    const state = await call(node, 'anvil_dumpState')
    const other = await manual()
    await call(other, 'anvil_loadState', [state])
    expect(await call(other, 'anvil_getBlobsByTransactionHash', [pooled])).toEqual([toHex(BLOB)])
    expect(await call(other, 'anvil_getBlobsByTransactionHash', [mined])).toBeNull()
    expect(await call(other, 'eth_getTransactionReceipt', [mined])).toMatchObject({ blobGasUsed: '0x20000' })
    await call(other, 'evm_mine')
    expect(await call(other, 'eth_getTransactionReceipt', [pooled])).toMatchObject({ status: '0x1' })
  })
})
