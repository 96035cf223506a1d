import { describe, expect, test } from '@jest/globals'
import type { Node } from '../../../lib/node/node.ts'
import { call, freshNode, refusal } from '../../support/node.ts'

const STRANGER = `0x${'77'.repeat(20)}`
const latest = (node: Node) => call(node, 'eth_getBlockByNumber', ['latest', false])
const numberOf = async (node: Node) => Number(await call(node, 'eth_blockNumber'))
const balance = (node: Node) => call(node, 'eth_getBalance', [STRANGER])

async function hashes(node: Node): Promise<readonly string[]> {
  const length = (await numberOf(node)) + 1
  const blocks = Array.from({ length }, (_, number) =>
    call(node, 'eth_getBlockByNumber', [`0x${number.toString(16)}`, false]),
  )
  return (await Promise.all(blocks)).map(({ hash }) => hash)
}

async function transfer(node: Node, value: string, nonce?: string): Promise<object> {
  const [from] = await call(node, 'eth_accounts')
  return { from, to: STRANGER, value, gas: '0x5208', ...(nonce === undefined ? {} : { nonce }) }
}

const send = async (node: Node, value: string): Promise<string> =>
  call(node, 'eth_sendTransaction', [await transfer(node, value)])

describe.each(['network-33', 'ethereum'])('anvil_rollback on %s', (network) => {
  test('removes blocks and their transactions', async () => {
    const node = await freshNode({ network })
    await send(node, '0x1')
    const before = await latest(node)
    const lost = await send(node, '0x2')
    await call(node, 'evm_mine')
    expect(await call(node, 'anvil_rollback', [2])).toBeNull()
    expect(await latest(node)).toEqual(before)
    expect(await balance(node)).toBe('0x1')
    expect(await call(node, 'eth_getTransactionReceipt', [lost])).toBeNull()
    expect(await call(node, 'eth_getTransactionByHash', [lost])).toBeNull()
    expect(await call(node, 'txpool_status', [], 'ethereum')).toEqual({ pending: '0x0', queued: '0x0' })
    await send(node, '0x4')
    expect(await balance(node)).toBe('0x5')
  })

  test('removes one block without a number', async () => {
    const node = await freshNode({ network })
    await call(node, 'evm_mine', [{ blocks: 3 }])
    await call(node, 'anvil_rollback')
    expect(await numberOf(node)).toBe(2)
  })

  test('is undone by a revert', async () => {
    const node = await freshNode({ network })
    await call(node, 'evm_mine', [{ blocks: 3 }])
    const before = await latest(node)
    const id = await call(node, 'evm_snapshot')
    await call(node, 'anvil_rollback', [3])
    await call(node, 'evm_revert', [id])
    expect(await latest(node)).toEqual(before)
  })

  test('is followed by filters, which return the blocks of anvil_reorg', async () => {
    const node = await freshNode({ network })
    await call(node, 'evm_mine')
    const filter = await call(node, 'eth_newBlockFilter')
    await call(node, 'anvil_reorg', [1])
    expect(await call(node, 'eth_getFilterChanges', [filter])).toEqual([(await latest(node)).hash])
  })
})

/** Code that emits an event without topics. */
const EMITTER = '0x60006000a000'
const LOGGER = `0x${'99'.repeat(20)}`

describe.each(['network-33', 'ethereum'])('logs of removed blocks, on %s', (network) => {
  test.each(['anvil_rollback', 'anvil_reorg'])('are polled as removed after %s', async (name) => {
    const node = await freshNode({ network })
    await call(node, 'hardhat_setCode', [LOGGER, EMITTER])
    const filter = await call(node, 'eth_newFilter', [{ address: LOGGER }])
    const [from] = await call(node, 'eth_accounts')
    const lost = await call(node, 'eth_sendTransaction', [{ from, to: LOGGER, gas: '0x30000' }])
    expect(await call(node, 'eth_getFilterChanges', [filter])).toHaveLength(1)
    await call(node, name, [1])
    expect(await call(node, 'eth_getFilterChanges', [filter])).toEqual([
      expect.objectContaining({ transactionHash: lost, removed: true }),
    ])
    expect(await call(node, 'eth_getLogs', [{ address: LOGGER, fromBlock: '0x0' }])).toEqual([])
  })
})

describe.each(['network-33', 'ethereum'])('anvil_reorg on %s', (network) => {
  test('replaces blocks by as many others, also empty ones', async () => {
    const node = await freshNode({ network })
    await call(node, 'evm_mine', [{ blocks: 4 }])
    const before = await hashes(node)
    expect(await call(node, 'anvil_reorg', [2, []])).toBeNull()
    const after = await hashes(node)
    expect(after).toHaveLength(5)
    expect(after.slice(0, 3)).toEqual(before.slice(0, 3))
    expect(after.slice(3).filter((hash) => before.includes(hash))).toEqual([])
    expect(await call(node, 'eth_getBlockByHash', [before[4], false])).toBeNull()
  })

  test.each([
    ['by position', (pairs: unknown) => [3, pairs]],
    ['in one object', (pairs: unknown) => [{ depth: 3, tx_block_pairs: pairs }]],
    ['by name', (pairs: unknown) => ({ depth: 3, tx_block_pairs: pairs })],
  ])('puts the requested transactions in the blocks, %s', async (_case, params) => {
    const node = await freshNode({ network })
    await send(node, '0x1')
    await call(node, 'evm_mine', [{ blocks: 2 }])
    const signed = await call(node, 'eth_signTransaction', [await transfer(node, '0x20', '0x1')], 'ethereum')
    const pairs = [
      [await transfer(node, '0x10'), 0],
      [signed, 2],
      [await transfer(node, '0x40', '0x2'), 2],
    ]
    await call(node, 'anvil_reorg', params(pairs))
    expect(await numberOf(node)).toBe(3)
    expect(await balance(node)).toBe('0x70')
    const balances = ['0x1', '0x2', '0x3'].map((block) => call(node, 'eth_getBalance', [STRANGER, block]))
    expect(await Promise.all(balances)).toEqual(['0x10', '0x10', '0x70'])
    expect(await call(node, 'hardhat_getAutomine')).toBe(true)
  })

  test('leaves pooled transactions in the pool', async () => {
    const node = await freshNode({ network })
    await call(node, 'evm_mine', [{ blocks: 2 }])
    await call(node, 'evm_setAutomine', [false])
    const hash = await send(node, '0x1')
    await call(node, 'anvil_reorg', [2])
    expect(await balance(node)).toBe('0x0')
    await call(node, 'evm_mine')
    expect((await call(node, 'eth_getTransactionReceipt', [hash])).blockNumber).toBe('0x3')
  })
})

describe('a reorganization that is not possible', () => {
  test.each([
    ['more blocks than there are', 'anvil_rollback', () => [4], '4 blocks cannot be removed'],
    ['more blocks than there are', 'anvil_reorg', () => [4], '4 blocks cannot be removed'],
    ['a block too far', 'anvil_reorg', (pair: object) => [2, [[pair, 2]]], 'there is no block 2'],
    ['no pairs', 'anvil_reorg', (pair: object) => [2, [pair]], 'expected a list of pairs'],
    ['no number', 'anvil_reorg', () => ['many'], 'expected a number of blocks'],
  ])('is refused: %s in %s, and nothing changes', async (_case, name, params, message) => {
    const node = await freshNode()
    await call(node, 'evm_mine', [{ blocks: 3 }])
    const before = await hashes(node)
    expect(await refusal(node, name, params(await transfer(node, '0x1')))).toEqual({
      kind: 'invalidParams',
      message: expect.stringContaining(message),
    })
    expect(await hashes(node)).toEqual(before)
  })

  test.each([
    ['behind a gap', { nonce: '0x1' }, 'invalidParams', 'did not get into block 1'],
    ['with too little gas', { gas: '0x1' }, 'intrinsicGasTooLow', 'intrinsic gas'],
    ['of a stranger', { from: STRANGER }, 'unknownAccount', 'unknown account'],
  ])('is undone for a transaction %s', async (_case, change, kind, message) => {
    const node = await freshNode()
    await call(node, 'evm_mine', [{ blocks: 3 }])
    const before = await hashes(node)
    const bad = { ...(await transfer(node, '0x1')), ...change }
    const params = [2, [[bad, 1]]]
    expect(await refusal(node, 'anvil_reorg', params)).toEqual({
      kind,
      message: expect.stringContaining(message),
    })
    expect(await hashes(node)).toEqual(before)
    expect(await call(node, 'txpool_status', [], 'ethereum')).toEqual({ pending: '0x0', queued: '0x0' })
    expect(await call(node, 'hardhat_getAutomine')).toBe(true)
  })

  test('is refused with external mining', async () => {
    const node = await freshNode({ mining: 'external' })
    expect((await refusal(node, 'anvil_reorg', [0])).kind).toBe('miningRefused')
  })
})
