/** Snapshots, reverts, resets, and dumped and loaded states. */

import { expect, test, afterEach, beforeEach, describe } from '@jest/globals'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { toHex } from '../../../lib/base/hex.ts'
import type { Node } from '../../../lib/node/node.ts'
import { auxBlockFor } from '../../modules/network-33/support/aux-blocks.ts'
import { ManualHost, call, freshNode } from '../../support/node.ts'
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
