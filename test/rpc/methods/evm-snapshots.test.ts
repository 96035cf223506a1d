/** Snapshots, reverts, resets, and dumped and loaded states. */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { expect, test, afterEach, beforeEach, describe } from '@jest/globals'
import { toHex } from '../../../lib/base/hex.ts'
import type { Node } from '../../../lib/node/node.ts'
import { auxBlockFor } from '../../modules/network-33/support/aux-blocks.ts'
import { ManualHost, call, freshNode, refusal } from '../../support/node.ts'
import { COW, COW1 } from '../../support/signing.ts'

test('evm_revert returns whether the snapshot exists, and drops later ones without keep', async () => {
  const node = await freshNode()
  const ids: string[] = []
  for (const name of ['one', 'two', 'three']) ids.push(await call(node, 'evm_snapshot', [{ name }]))
  const left = async () => (await call(node, 'dev_snapshots')).map(({ id }: { id: string }) => id)
  expect(await call(node, 'evm_revert', ['one', { keep: true }])).toBe(true)
  expect(await left()).toEqual(ids)
  expect(await call(node, 'dev_dropSnapshot', ['one'])).toBe(true)
  expect(await call(node, 'evm_revert', [ids[1]])).toBe(true)
  expect(await left()).toEqual([ids[1]])
  for (const gone of [ids[0], 'three']) expect(await call(node, 'evm_revert', [gone])).toBe(false)
})

test('hardhat_reset without a remote chain restores genesis', async () => {
  const node = await freshNode()
  await call(node, 'evm_mine')
  const empty = { forking: { jsonRpcUrl: undefined, blockNumber: null } }
  expect(await call(node, 'hardhat_reset', [empty])).toBe(true)
  expect(await call(node, 'eth_blockNumber')).toBe('0x0')
  await expect(call(node, 'anvil_setRpcUrl', ['http://x'])).rejects.toThrow(
    'hardhat_reset with forking continues another one',
  )
})

const send = (node: Node, value = '0x1') =>
  call(node, 'eth_sendTransaction', [{ from: COW, to: COW1, value, gas: '0x5208' }])

describe('a saved state', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dev-node-save-'))
  })
  afterEach(() => rm(folder, { recursive: true }))

  test.each(['state', 'dumpState'] as const)('is in the file of %s when it is answered', async (option) => {
    const path = join(folder, 'chain.state')
    const node = await freshNode({ [option]: path })
    await send(node)
    const { hash } = await call(node, 'eth_getBlockByNumber', ['latest', false])
    expect(await call(node, 'dev_saveState')).toEqual({ path, blockNumber: '0x1', blockHash: hash })
    const other = await freshNode({ loadState: path })
    expect(await call(other, 'eth_getBlockByNumber', ['latest', false])).toMatchObject({ hash })
    await node.close()
  })

  test('needs a file, which worlds do not have', async () => {
    const node = await freshNode()
    const refused = { kind: 'invalidState', message: expect.stringContaining('this chain has no state file') }
    await expect(call(node, 'dev_saveState')).rejects.toMatchObject(refused)
    const withFile = await freshNode({ state: join(folder, 'chain.state') })
    const world = withFile.worlds.create('one').chain
    await expect(call(world, 'dev_saveState')).rejects.toMatchObject(refused)
    await withFile.close()
  })
})

describe('a dumped state', () => {
  test('has its snapshots by id and name', async () => {
    const node = await freshNode()
    await call(node, 'evm_snapshot', [{ name: 'empty' }])
    await send(node)
    await call(node, 'evm_snapshot', [{ name: 'one' }])
    await send(node, '0x2')
    const listed = await call(node, 'dev_snapshots')
    const other = await freshNode()
    await call(other, 'evm_snapshot', [{ name: 'own' }])
    await call(other, 'dev_loadState', [await call(node, 'dev_dumpState')])
    expect(await call(other, 'dev_snapshots')).toEqual(listed)
    expect(await call(other, 'eth_blockNumber')).toBe('0x2')
    expect(await call(other, 'evm_revert', ['one'])).toBe(true)
    expect(await call(other, 'eth_blockNumber')).toBe('0x1')
    expect(await call(other, 'eth_getTransactionCount', [COW])).toBe('0x1')
    expect(await call(other, 'evm_revert', ['empty'])).toBe(true)
    expect(await call(other, 'eth_getTransactionCount', [COW])).toBe('0x0')
    expect(await call(other, 'evm_snapshot')).toBe('0x3')
  })

  test('has the mining mode that was set, of the head and of snapshots', async () => {
    const node = await freshNode()
    await call(node, 'evm_snapshot', [{ name: 'as started' }])
    await call(node, 'evm_setAutomine', [false])
    await call(node, 'evm_snapshot', [{ name: 'by hand' }])
    await call(node, 'evm_setIntervalMining', [3_600_000])
    const state = await call(node, 'dev_dumpState')
    const other = await freshNode({ blockTime: 1800 })
    await call(other, 'dev_loadState', [state])
    const seconds = () => call(other, 'anvil_getIntervalMining')
    expect(await seconds()).toBe(3600)
    await call(other, 'evm_revert', ['by hand', { keep: true }])
    expect([await seconds(), await call(other, 'hardhat_getAutomine')]).toEqual([null, false])
    await call(other, 'evm_revert', ['as started'])
    expect(await seconds()).toBe(1800)
    await Promise.all([node.close(), other.close()])
  })

  test('starts no mining on a node with external mining', async () => {
    const node = await freshNode()
    await call(node, 'evm_setAutomine', [false])
    const other = await freshNode({ mining: 'external' })
    await call(other, 'dev_loadState', [await call(node, 'dev_dumpState')])
    await expect(call(other, 'evm_mine')).rejects.toMatchObject({ kind: 'miningRefused' })
  })

  test('has the impersonated accounts of the head and of snapshots', async () => {
    const node = await freshNode()
    const stranger = `0x${'5e'.repeat(20)}`
    await call(node, 'hardhat_setBalance', [stranger, '0xde0b6b3a7640000'])
    await call(node, 'hardhat_impersonateAccount', [stranger])
    await call(node, 'evm_snapshot', [{ name: 'one' }])
    await call(node, 'anvil_autoImpersonateAccount', [true])
    const other = await freshNode()
    await call(other, 'dev_loadState', [await call(node, 'dev_dumpState')])
    const sending = (from: string) => [{ from, to: COW1, value: '0x0', gas: '0x5208' }]
    const unknown = `0x${'5f'.repeat(20)}`
    await call(other, 'hardhat_setBalance', [unknown, '0xde0b6b3a7640000'])
    await call(other, 'eth_sendTransaction', sending(unknown))
    await call(other, 'evm_revert', ['one'])
    await call(other, 'eth_sendTransaction', sending(stranger))
    await expect(call(other, 'eth_sendTransaction', sending(unknown))).rejects.toThrow()
  })

  test('has the side blocks of the head and of snapshots', async () => {
    const node = await freshNode()
    const { blockHashForMergedMining: work } = await call(node, 'mnr_getWork')
    await call(node, 'hardhat_mine', ['0x2'])
    // The node itself finds the lowest nonce.
    const late = [toHex(auxBlockFor(work, 100)).slice(2)]
    const { blockHash } = await call(node, 'mnr_submitAuxBlock', late)
    await call(node, 'evm_snapshot')
    const found = (by: Node) => call(by, 'eth_getBlockByHash', [blockHash, true])
    expect(await found(node)).toMatchObject({ number: '0x1' })
    const other = await freshNode()
    await call(other, 'dev_loadState', [await call(node, 'dev_dumpState')])
    expect(await found(other)).toEqual(await found(node))
    await call(other, 'anvil_rollback', [1])
    expect(await found(other)).toBeNull()
    await call(other, 'evm_revert', ['0x1'])
    expect(await found(other)).toEqual(await found(node))
  })

  test.each([{}, { systemTransaction: true }, { network: 'ethereum' }])(
    'without receipts has them made again under %j',
    async (options) => {
      const node = await freshNode({ ...options, mining: false })
      const [from] = await call(node, 'eth_accounts')
      const gas = { from, gas: '0x30d40' }
      // Logs, a contract that is made, one that reverts, and an edit of the state in between.
      await call(node, 'eth_sendTransaction', [{ ...gas, data: '0x60006000a060006000f3' }])
      await call(node, 'eth_sendTransaction', [{ ...gas, to: COW1, value: '0x5' }])
      await call(node, 'evm_mine')
      await call(node, 'hardhat_setCode', [COW1, '0x60006000fd'])
      await call(node, 'eth_sendTransaction', [{ ...gas, to: COW1 }])
      await call(node, 'evm_mine')
      const dump = (receipts: boolean) => call(node, 'dev_dumpState', [{ receipts }])
      const [whole, bare] = [await dump(true), await dump(false)]
      expect(bare.length).toBeLessThan(whole.length)
      const other = await freshNode(options)
      await call(other, 'dev_loadState', [bare])
      for (const number of ['0x1', '0x2']) {
        for (const method of ['eth_getBlockReceipts', 'trace_block']) {
          expect(await call(other, method, [number])).toEqual(await call(node, method, [number]))
        }
      }
      const states = (await call(other, 'eth_getBlockReceipts', ['0x2'])) as { status: string }[]
      expect(states[0]).toMatchObject({ status: '0x0' })
    },
  )

  test('without receipts is refused by a node on which transactions have other outcomes', async () => {
    const node = await freshNode({ network: 'ethereum', genesisTimestamp: '1700000000' })
    const [from] = await call(node, 'eth_accounts')
    // CLZ, which only Osaka has.
    const data = '0x60011e60005260206000f3'
    await call(node, 'eth_sendTransaction', [{ from, gas: '0x30d40', data }])
    const other = await freshNode({ network: 'ethereum', hardfork: 'prague', genesisTimestamp: '1700000000' })
    const before = await call(other, 'eth_getBlockByNumber', ['latest', true])
    const loading = call(other, 'dev_loadState', [await call(node, 'dev_dumpState', [{ receipts: false }])])
    await expect(loading).rejects.toMatchObject({
      kind: 'invalidState',
      message: expect.stringContaining('the receipts of block 1 are not in the state file'),
    })
    expect(await call(other, 'eth_getBlockByNumber', ['latest', true])).toEqual(before)
  })

  test('is the same with and without the flag of Anvil for past states', async () => {
    const node = await freshNode({}, new ManualHost())
    await send(node)
    const whole = await call(node, 'anvil_dumpState')
    for (const matchesSubscription of [true, false])
      expect(await call(node, 'anvil_dumpState', [matchesSubscription])).toBe(whole)
    const refused = expect(call(node, 'anvil_dumpState', ['all'])).rejects
    await refused.toThrow(
      'expected {blocks, transactions, receipts, snapshots, keystore}, each true or false',
    )
  })

  test('has transactions, snapshots and keys as requested', async () => {
    const node = await freshNode()
    await send(node)
    await call(node, 'evm_snapshot')
    const key = `0x${'11'.repeat(32)}`
    const address = await call(node, 'personal_importRawKey', [key.slice(2), 'secret'])
    const bare = await freshNode()
    await call(bare, 'dev_loadState', [
      await call(node, 'dev_dumpState', [{ transactions: false, snapshots: false }]),
    ])
    expect(await call(bare, 'eth_getBlockTransactionCountByNumber', ['0x1'])).toBe('0x0')
    expect(await call(bare, 'eth_getTransactionCount', [COW])).toBe('0x1')
    expect(await call(bare, 'dev_snapshots')).toEqual([])
    expect(await call(bare, 'eth_accounts')).not.toContain(address)
    const whole = await freshNode()
    await call(whole, 'dev_loadState', [await call(node, 'dev_dumpState', [{ keystore: true }])])
    expect(await call(whole, 'eth_accounts')).toContain(address)
    expect(await call(whole, 'personal_unlockAccount', [address, 'secret'])).toBe(true)
  })

  test('has the accounts and locks of the head and of snapshots', async () => {
    const node = await freshNode()
    const key = `0x${'11'.repeat(32)}`
    const address = await call(node, 'personal_importRawKey', [key, 'secret'])
    await call(node, 'evm_snapshot', [{ name: 'known' }])
    await call(node, 'evm_revert', ['0x1'])
    await call(node, 'personal_lockAccount', [COW])
    const seeded = await call(node, 'personal_newAccountWithSeed', ['a seed'])
    const other = await freshNode()
    await call(other, 'dev_loadState', [await call(node, 'dev_dumpState', [{ keystore: true }])])
    const canSign = (account: string) =>
      call(other, 'eth_sign', [account, '0x']).then(
        () => true,
        () => false,
      )
    expect(await call(other, 'eth_accounts')).toEqual(await call(node, 'eth_accounts'))
    expect([await canSign(COW), await canSign(seeded), await canSign(address)]).toEqual([false, true, false])
    await call(other, 'evm_revert', ['known'])
    expect(await call(other, 'eth_accounts')).not.toContain(seeded)
    expect([await canSign(COW), await canSign(address)]).toEqual([true, false])
    expect(await call(other, 'personal_unlockAccount', [address, 'secret'])).toBe(true)
  })

  test.each([{}, { network: 'ethereum', noPredeploys: true }])(
    'without blocks has its accounts at genesis under %j',
    async (options) => {
      const node = await freshNode(options)
      const [from] = await call(node, 'eth_accounts')
      const pay = (of: Node) =>
        call(of, 'eth_sendTransaction', [{ from, to: from, value: '0x1', gas: '0x5208' }])
      const nonce = (of: Node) => call(of, 'eth_getTransactionCount', [from])
      await pay(node)
      await call(node, 'evm_snapshot', [{ name: 'paid' }])
      await pay(node)
      const other = await freshNode(options)
      await pay(other)
      await call(other, 'dev_loadState', [await call(node, 'dev_dumpState', [{ blocks: false }])])
      expect([await call(other, 'eth_blockNumber'), await nonce(other)]).toEqual(['0x0', '0x2'])
      await pay(other)
      expect([await call(other, 'eth_blockNumber'), await nonce(other)]).toEqual(['0x1', '0x3'])
      expect(await call(other, 'evm_revert', ['paid'])).toBe(true)
      expect([await call(other, 'eth_blockNumber'), await nonce(other)]).toEqual(['0x0', '0x1'])
      const isShort = (text: unknown) => String(text).length < String(whole).length
      const whole = await call(node, 'dev_dumpState')
      expect(isShort(await call(node, 'dev_dumpState', [{ blocks: false }]))).toBe(true)
    },
  )

  test('is refused, and changes nothing, when it is cut, of another program or of another chain', async () => {
    const node = await freshNode()
    await send(node)
    const dumped = String(await call(node, 'dev_dumpState'))
    const bytes = Buffer.from(dumped.slice(2), 'hex')
    const other = await freshNode()
    const before = other.instance.peek()
    const load = (state: Buffer) => call(other, 'dev_loadState', [`0x${state.toString('hex')}`])
    const text = gunzipSync(bytes).toString()
    await expect(load(bytes.subarray(0, bytes.length - 40))).rejects.toThrow(
      /cannot be decompressed|checksum/,
    )
    await expect(load(gzipSync(text.replace('"0x1"', '"0x2"').replace('~n0x1', '~n0x2')))).rejects.toThrow(
      'checksum',
    )
    await expect(load(gzipSync(text.replace('"version":1', '"version":2')))).rejects.toThrow(
      'the state file has version 2; this release reads version 1',
    )
    await expect(load(Buffer.from('not a file'))).rejects.toThrow('the state file cannot be decompressed')
    for (const text of ['{"format":"other"}\n', '{"balances":{}}', '']) {
      await expect(load(gzipSync(text))).rejects.toThrow('not a state file of dev-node')
    }
    const ethereum = await freshNode({ network: 'ethereum' })
    await expect(call(ethereum, 'dev_loadState', [dumped])).rejects.toThrow(
      'the state file is of chain 33, this node runs chain',
    )
    expect(other.instance.peek()).toEqual(before)
  })
})

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

const sendValue = async (node: Node, value: string): Promise<string> =>
  call(node, 'eth_sendTransaction', [await transfer(node, value)])

describe.each(['network-33', 'ethereum'])('anvil_rollback on %s', (network) => {
  test('removes blocks and their transactions', async () => {
    const node = await freshNode({ network })
    await sendValue(node, '0x1')
    const before = await latest(node)
    const lost = await sendValue(node, '0x2')
    await call(node, 'evm_mine')
    expect(await call(node, 'anvil_rollback', [2])).toBeNull()
    expect(await latest(node)).toEqual(before)
    expect(await balance(node)).toBe('0x1')
    expect(await call(node, 'eth_getTransactionReceipt', [lost])).toBeNull()
    expect(await call(node, 'eth_getTransactionByHash', [lost])).toBeNull()
    expect(await call(node, 'txpool_status', [], 'ethereum')).toEqual({ pending: '0x0', queued: '0x0' })
    await sendValue(node, '0x4')
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
    await sendValue(node, '0x1')
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
    const hash = await sendValue(node, '0x1')
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
