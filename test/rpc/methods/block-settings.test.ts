/** What test helpers of other development nodes ask for: each control, seen in the blocks that follow it. */

import { describe, expect, test } from '@jest/globals'
import type { Dialect } from '../../../lib/config/dialect.ts'
import type { OptionsInput } from '../../../lib/config/options.ts'
import { ManualHost, call, dispatcherOf, elapse, freshNode } from '../../support/node.ts'
import { rpc } from '../../support/server.ts'

const COW = '0xcd2a3d9f938e13cd947ec05abc7fe734df8dd826'
const COW1 = '0x7986b3df570230288501eea3d890bd66948c9b79'
const STRANGER = `0x${'77'.repeat(20)}`
const ETHEREUM: OptionsInput = { network: 'ethereum', accounts: 3 }

describe('accounts', () => {
  test('are edited under every name', async () => {
    const node = await freshNode()
    const head = await call(node, 'eth_getBlockByNumber', ['latest', false])
    for (const [index, name] of [
      'hardhat_setBalance',
      'anvil_setBalance',
      'evm_setAccountBalance',
    ].entries()) {
      expect(await call(node, name, [STRANGER, `0x${index + 1}`])).toBe(true)
      expect(await call(node, 'eth_getBalance', [STRANGER])).toBe(`0x${index + 1}`)
    }
    await call(node, 'anvil_addBalance', [STRANGER, '0x7'])
    await call(node, 'hardhat_addBalance', [STRANGER, '0x8'])
    expect(await call(node, 'eth_getBalance', [STRANGER])).toBe('0x12')
    await call(node, 'hardhat_setNonce', [STRANGER, '0x5'])
    await call(node, 'hardhat_setCode', [STRANGER, '0x60006000fd'])
    await call(node, 'hardhat_setStorageAt', [STRANGER, '0x1', '0x2a'])
    expect(await call(node, 'eth_getTransactionCount', [STRANGER])).toBe('0x5')
    expect(await call(node, 'eth_getCode', [STRANGER])).toBe('0x60006000fd')
    expect(await call(node, 'eth_getStorageAt', [STRANGER, '0x1'])).toBe(`0x${'0'.repeat(62)}2a`)
    expect(await call(node, 'eth_getBlockByNumber', ['latest', false])).toEqual(head)
    await call(node, 'evm_mine')
    expect(await call(node, 'eth_getBalance', [STRANGER])).toBe('0x12')
    expect(await call(node, 'eth_getBalance', [STRANGER, 'earliest'])).toBe('0x12')
  })

  test('of Hardhat have nonces that do not go down, those of Anvil may', async () => {
    const node = await freshNode({ dialect: 'hardhat' })
    await call(node, 'hardhat_setNonce', [STRANGER, '0x5'])
    await call(node, 'hardhat_setNonce', [STRANGER, '0x5'])
    const lower = (name: string, dialect?: Dialect) => call(node, name, [STRANGER, '0x1'], dialect)
    const answer = await dispatcherOf(node).answer(rpc('hardhat_setNonce', [STRANGER, '0x1']), 'hardhat')
    expect(JSON.parse(answer!).error).toMatchObject({
      code: -32000,
      message: 'New nonce (1) must not be smaller than the existing nonce (5)',
    })
    expect(await call(node, 'eth_getTransactionCount', [STRANGER])).toBe('0x5')
    expect(await lower('anvil_setNonce')).toBe(true)
    expect(await call(node, 'eth_getTransactionCount', [STRANGER])).toBe('0x1')
    await call(node, 'anvil_setNonce', [STRANGER, '0x5'])
    expect(await lower('hardhat_setNonce', 'node33')).toBe(true)
  })

  test('edited after a snapshot are as before once it is reverted to', async () => {
    const node = await freshNode()
    const id = await call(node, 'evm_snapshot')
    await call(node, 'hardhat_setBalance', [STRANGER, '0x1'])
    await call(node, 'evm_revert', [id])
    expect(await call(node, 'eth_getBalance', [STRANGER])).toBe('0x0')
  })
})

describe('impersonated accounts', () => {
  const BRIDGE = '0x0000000000000000000000000000000001000006'
  const transfer = (from: string, value: string) => ({ from, to: COW1, value, gas: '0x5208' })

  test('are all, where the node is started so, in its worlds and after a reset too', async () => {
    const node = await freshNode({ autoImpersonate: true })
    const world = node.worlds.create('a').chain
    for (const chain of [node, world]) {
      const send = () => call(chain, 'eth_sendTransaction', [transfer(STRANGER, '0x1')])
      await call(chain, 'anvil_autoImpersonateAccount', [false])
      await call(chain, 'evm_reset')
      await call(chain, 'hardhat_setBalance', [STRANGER, '0xde0b6b3a7640000'])
      const receipt = await call(chain, 'eth_getTransactionReceipt', [await send()])
      expect(receipt).toMatchObject({ from: STRANGER, status: '0x1' })
      await call(chain, 'anvil_autoImpersonateAccount', [false])
      await expect(send()).rejects.toThrow('unknown account')
    }
  })

  test.each(['network-33', 'ethereum'])('send without a key, contracts too, on %s', async (network) => {
    const node = await freshNode({ network })
    const contract = network === 'ethereum' ? STRANGER : BRIDGE
    await call(node, 'hardhat_setBalance', [contract, '0xde0b6b3a7640000'])
    if (network === 'ethereum') await call(node, 'hardhat_setCode', [contract, '0x00'])
    await expect(call(node, 'eth_sendTransaction', [transfer(contract, '0x1')])).rejects.toThrow(
      'unknown account',
    )
    const id = await call(node, 'evm_snapshot')
    await call(node, 'hardhat_impersonateAccount', [contract])
    const hash = await call(node, 'eth_sendTransaction', [transfer(contract, '0x1')])
    expect(await call(node, 'eth_getTransactionReceipt', [hash])).toMatchObject({
      status: '0x1',
      from: contract,
    })
    expect(await call(node, 'eth_getTransactionByHash', [hash])).toMatchObject({
      from: contract,
      nonce: '0x0',
    })
    expect(await call(node, 'debug_traceTransaction', [hash, { tracer: 'callTracer' }])).toMatchObject({
      from: contract,
    })
    expect(await call(node, 'hardhat_stopImpersonatingAccount', [contract])).toBe(true)
    await expect(call(node, 'eth_sendTransaction', [transfer(contract, '0x2')])).rejects.toThrow(
      'unknown account',
    )
    await call(node, 'anvil_autoImpersonateAccount', [true])
    await call(node, 'eth_sendTransaction', [transfer(contract, '0x2')])
    await call(node, 'evm_revert', [id])
    await expect(call(node, 'eth_sendTransaction', [transfer(contract, '0x1')])).rejects.toThrow(
      'unknown account',
    )
    const unsigned = await call(node, 'eth_sendUnsignedTransaction', [transfer(contract, '0x3')])
    expect(await call(node, 'eth_getTransactionReceipt', [unsigned])).toMatchObject({ status: '0x1' })
  })

  test('of the same transaction have different hashes', async () => {
    const node = await freshNode({ mining: false })
    const hashes = [COW, COW1].map((from) =>
      call(node, 'eth_sendUnsignedTransaction', [transfer(from, '0x1')]),
    )
    expect(new Set(await Promise.all(hashes)).size).toBe(2)
  })

  test.each(['network-33', 'ethereum'])(
    'are signers for contracts, on %s, until a revert',
    async (network) => {
      const node = await freshNode({ network })
      const [hash, v, r, s] = ['ab'.repeat(32), `${'00'.repeat(31)}1c`, '11'.repeat(32), '22'.repeat(32)]
      const recovered = (block = 'latest') =>
        call(node, 'eth_call', [
          { to: `0x${'0'.repeat(39)}1`, data: `0x${hash}${v}${r}${s}`, gas: '0x7530' },
          block,
        ])
      const before = await recovered()
      const id = await call(node, 'evm_snapshot')
      await call(node, 'evm_mine')
      await call(node, 'anvil_impersonateSignature', [`0x${r}${s}1c`, STRANGER])
      const told = `0x${'00'.repeat(12)}${STRANGER.slice(2)}`
      expect(await recovered()).toBe(told)
      // Called in a block, where accounts with nothing in them are cleared.
      await call(node, 'eth_sendTransaction', [
        { from: (await call(node, 'eth_accounts'))[0], to: `0x${'0'.repeat(39)}1`, gas: '0x7530' },
      ])
      expect([await recovered(), await recovered('earliest')]).toEqual([told, before])
      await call(node, 'evm_revert', [id])
      expect(await recovered()).toBe(before)
    },
  )

  test('are no signers of what is no signature', async () => {
    const node = await freshNode()
    await expect(call(node, 'anvil_impersonateSignature', [`0x${'11'.repeat(64)}1b`])).rejects.toThrow(
      'params[1] (address): expected a 20-byte address',
    )
    for (const signature of ['0x', `0x${'11'.repeat(64)}`, `0x${'11'.repeat(64)}01`]) {
      await expect(call(node, 'anvil_impersonateSignature', [signature, STRANGER])).rejects.toThrow(
        'params[0] (signature): expected a signature of 65 bytes',
      )
    }
  })

  test('and others see what a transaction would be filled in with', async () => {
    const node = await freshNode()
    await call(node, 'eth_sendTransaction', [transfer(COW, '0x1')])
    const { raw, tx } = await call(node, 'eth_fillTransaction', [{ from: COW, to: COW1 }])
    expect(tx).toMatchObject({ nonce: '0x1', gas: '0x5208', gasPrice: '0x0', type: '0x0' })
    expect(raw).toMatch(/^0x/)
    expect(await call(node, 'txpool_status')).toEqual({ pending: 0, queued: 0 })
  })
})

describe('time', () => {
  test('is moved under every name', async () => {
    const node = await freshNode()
    const prefixes = ['evm', 'anvil', 'hardhat', 'ganache']
    const moved = prefixes.map((prefix) => call(node, `${prefix}_increaseTime`, ['0x5']))
    expect(await Promise.all(moved)).toEqual(['0x5', '0xa', '0xf', '0x14'])
  })

  test('of the genesis is told', async () => {
    const node = await freshNode()
    await call(node, 'ganache_mine', [{ blocks: 2 }])
    const { timestamp, number } = await call(node, 'eth_getBlockByNumber', ['earliest', false])
    expect([await call(node, 'anvil_getGenesisTime'), number]).toEqual([Number(timestamp), '0x0'])
    expect(await call(node, 'eth_blockNumber')).toBe('0x2')
  })

  test('is set in seconds or milliseconds, back too', async () => {
    const node = await freshNode()
    expect(await call(node, 'evm_setTime', [1_700_000_060])).toBe(60)
    expect(await call(node, 'evm_setTime', [1_700_000_000_000])).toBe(-60)
    await call(node, 'evm_setTime', [1_800_000_000])
    await call(node, 'evm_mine')
    expect(await call(node, 'eth_getBlockByNumber', ['latest', false])).toMatchObject({
      timestamp: '0x6b49d200',
    })
  })
})

describe('blocks', () => {
  const latest = (node: Parameters<typeof call>[0]) => call(node, 'eth_getBlockByNumber', ['latest', false])

  test('have the miner and gas limit that were set, until a revert', async () => {
    const node = await freshNode()
    const id = await call(node, 'evm_snapshot')
    await call(node, 'hardhat_setCoinbase', [COW1])
    await call(node, 'evm_setBlockGasLimit', ['0x1312d00'])
    for (let block = 0; block < 2; block++) {
      await call(node, 'evm_mine')
      expect(await latest(node)).toMatchObject({ miner: COW1, gasLimit: '0x1312d00' })
    }
    await call(node, 'evm_revert', [id])
    await call(node, 'evm_mine')
    expect((await latest(node)).miner).not.toBe(COW1)
  })

  test.each([false, true])('take the time of the newest one, equal times allowed: %s', async (allowed) => {
    const node = await freshNode({ allowSameTimestamp: allowed })
    await call(node, 'evm_mine', [4_000_000_000])
    await call(node, 'evm_mine', [4_000_000_000])
    expect(Number((await latest(node)).timestamp)).toBe(allowed ? 4_000_000_000 : 4_000_000_001)
    await expect(call(node, 'evm_mine', [3_999_999_999])).rejects.toThrow('not after the head')
  })

  test.each([
    ['network-33', {}, '0x1312d00'],
    ['ethereum', { hardfork: 'prague' }, '0x2faf080'],
  ] as const)('admit what fits the gas limit that was set, on %s', async (network, options, much) => {
    const node = await freshNode({ network, ...options })
    const from = node.funded[0]!.address
    const send = (gas: string) => call(node, 'eth_sendTransaction', [{ from, to: COW1, gas }])
    await call(node, 'evm_setBlockGasLimit', ['0xc350'])
    await expect(send('0x186a0')).rejects.toThrow('exceeds block gas limit')
    await call(node, 'evm_setBlockGasLimit', ['0x5f5e100'])
    expect(await call(node, 'eth_getTransactionReceipt', [await send(much)])).not.toBeNull()
  })

  test('have their base fee told before', async () => {
    const node = await freshNode(ETHEREUM)
    const lastFee = async (newest: string) =>
      (await call(node, 'eth_feeHistory', ['0x1', newest])).baseFeePerGas.at(-1)
    await call(node, 'hardhat_setNextBlockBaseFeePerGas', ['0x64'])
    expect(await lastFee('latest')).toBe('0x64')
    await call(node, 'evm_mine')
    expect(await lastFee('0x0')).toBe('0x64')
    expect(await lastFee('latest')).toBe('0x58')
  })

  test('have the base fee and randomness that were set, once', async () => {
    const node = await freshNode(ETHEREUM)
    await call(node, 'hardhat_setNextBlockBaseFeePerGas', ['0x64'])
    await call(node, 'hardhat_setPrevRandao', [`0x${'11'.repeat(32)}`])
    await call(node, 'evm_mine')
    expect(await latest(node)).toMatchObject({ baseFeePerGas: '0x64', mixHash: `0x${'11'.repeat(32)}` })
    await call(node, 'evm_mine')
    expect(await latest(node)).toMatchObject({ baseFeePerGas: '0x58' })
    expect((await latest(node)).mixHash).not.toBe(`0x${'11'.repeat(32)}`)
  })

  test('have the minimum gas price that was set, and the pool asks for it', async () => {
    const node = await freshNode()
    await call(node, 'hardhat_setMinGasPrice', ['0x64'])
    const cheap = { from: COW, to: COW1, gas: '0x5208', gasPrice: '0x63' }
    await expect(call(node, 'eth_sendTransaction', [cheap])).rejects.toThrow()
    await call(node, 'eth_sendTransaction', [{ ...cheap, gasPrice: '0x64' }])
    expect(await latest(node)).toMatchObject({ minimumGasPrice: '0x64' })
    const ethereum = await freshNode(ETHEREUM)
    await expect(call(ethereum, 'hardhat_setMinGasPrice', ['0x64'])).rejects.toThrow('no minimum gas price')
    await expect(call(node, 'hardhat_setNextBlockBaseFeePerGas', ['0x64'])).rejects.toThrow('no base fee')
  })

  test('are as far apart as was set', async () => {
    const node = await freshNode()
    const times = async (): Promise<number[]> => {
      const found: number[] = []
      for (let block = 0; block < 3; block++) {
        await call(node, 'evm_mine')
        found.push(Number((await latest(node)).timestamp))
      }
      return found.map((time, index) => time - (found[index - 1] ?? time))
    }
    await call(node, 'anvil_setBlockTimestampInterval', [60])
    expect(await times()).toEqual([0, 60, 60])
    await call(node, 'hardhat_setBlockTimestampInterval', [5000])
    expect(await times()).toEqual([0, 5, 5])
    expect(await call(node, 'anvil_removeBlockTimestampInterval')).toBe(true)
    expect(await times()).toEqual([0, 1, 1])
  })

  test('are made in the way that was set', async () => {
    const host = new ManualHost()
    const node = await freshNode({}, host)
    const send = () => call(node, 'eth_sendTransaction', [{ from: COW, to: COW1, gas: '0x5208' }])
    await call(node, 'evm_setAutomine', [false])
    expect(await call(node, 'hardhat_getAutomine')).toBe(false)
    await send()
    expect(await call(node, 'eth_blockNumber')).toBe('0x0')
    await call(node, 'evm_setAutomine', [true])
    expect(await call(node, 'eth_blockNumber')).toBe('0x1')
    await call(node, 'evm_setIntervalMining', [2000])
    expect(await call(node, 'anvil_getIntervalMining')).toBe(2)
    await elapse(node, host, 4000)
    expect(await call(node, 'eth_blockNumber')).toBe('0x3')
    await call(node, 'anvil_setIntervalMining', [0])
    await elapse(node, host, 4000)
    expect(await call(node, 'eth_blockNumber')).toBe('0x3')
    await call(node, 'miner_start')
    await send()
    expect(await call(node, 'eth_blockNumber')).toBe('0x4')
    await call(node, 'miner_stop')
    await send()
    expect(await call(node, 'eth_blockNumber')).toBe('0x4')
  })
})

describe('the interval between blocks', () => {
  test.each([
    ['evm_setIntervalMining', 'node33', 0.002],
    ['evm_setIntervalMining', 'hardhat', 0.002],
    ['evm_setIntervalMining', 'ethereum', 2],
    ['hardhat_setIntervalMining', 'ethereum', 0.002],
    ['anvil_setIntervalMining', 'hardhat', 2],
  ] as const)(
    'of %s is counted for a client of the dialect %s so that 2 is %d s',
    async (name, dialect, span) => {
      const node = await freshNode()
      await call(node, name, [2], dialect)
      expect(await call(node, 'anvil_getIntervalMining')).toBe(span)
    },
  )

  test('is for clients of Hardhat beside the blocks of transactions, which come back with its end', async () => {
    const host = new ManualHost()
    const node = await freshNode({}, host)
    const height = () => call(node, 'eth_blockNumber')
    await call(node, 'evm_setIntervalMining', [2000])
    expect(await call(node, 'hardhat_getAutomine')).toBe(true)
    await call(node, 'eth_sendTransaction', [{ from: COW, to: COW1, gas: '0x5208' }])
    expect(await height()).toBe('0x1')
    await elapse(node, host, 4000)
    expect(await height()).toBe('0x3')
    await call(node, 'evm_setAutomine', [false])
    await call(node, 'eth_sendTransaction', [{ from: COW, to: COW1, gas: '0x5208' }])
    expect(await height()).toBe('0x3')
    await call(node, 'evm_setAutomine', [true])
    expect(await height()).toBe('0x4')
    await call(node, 'evm_setIntervalMining', [0])
    await elapse(node, host, 4000)
    expect([await call(node, 'hardhat_getAutomine'), await height()]).toEqual([true, '0x4'])
  })

  test('is drawn anew for each block where Hardhat gives two', async () => {
    const host = new ManualHost()
    const node = await freshNode({}, host)
    await call(node, 'evm_setIntervalMining', [[2000, 5000]])
    const gaps = new Set<number>()
    let minedAt = host.now()
    for (let block = 1; block <= 10; block++) {
      while ((await call(node, 'eth_blockNumber')) !== `0x${block.toString(16)}`)
        await elapse(node, host, 250)
      gaps.add(host.now() - minedAt)
      minedAt = host.now()
    }
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(1750)
    expect(Math.max(...gaps)).toBeLessThanOrEqual(5250)
    expect(gaps.size).toBeGreaterThan(3)
  })

  test('is for clients of Anvil instead of the blocks of transactions, and they end it', async () => {
    const node = await freshNode()
    const state = async () => [
      await call(node, 'hardhat_getAutomine'),
      await call(node, 'anvil_getIntervalMining'),
    ]
    await call(node, 'evm_setIntervalMining', [2], 'ethereum')
    expect(await state()).toEqual([false, 2])
    await call(node, 'evm_setAutomine', [true], 'ethereum')
    expect(await state()).toEqual([true, null])
    await call(node, 'evm_setIntervalMining', [2], 'ethereum')
    await call(node, 'evm_setIntervalMining', [0], 'ethereum')
    expect(await state()).toEqual([false, null])
  })

  test('is a day at most, in either unit', async () => {
    const node = await freshNode()
    await expect(call(node, 'evm_setIntervalMining', [86_401], 'ethereum')).rejects.toThrow(
      'params[0] (interval): expected a span of time of up to a day, in seconds',
    )
    await expect(call(node, 'evm_setIntervalMining', [[1, 2]], 'ethereum')).rejects.toThrow('in seconds')
    for (const range of [[2, 1], [0, 5], [1], [1, 86_400_001]]) {
      await expect(call(node, 'evm_setIntervalMining', [range])).rejects.toThrow('or [least, most]')
    }
    await expect(call(node, 'evm_setIntervalMining', [86_400_001])).rejects.toThrow('up to a day')
    expect(await call(node, 'hardhat_getAutomine')).toBe(true)
  })
})

describe('the pool', () => {
  test('loses what is dropped', async () => {
    const node = await freshNode({ mining: false })
    const send = (from: string, nonce: string) =>
      call(node, 'eth_sendTransaction', [{ from, to: COW1, gas: '0x5208', nonce }])
    const [first] = [await send(COW, '0x0'), await send(COW, '0x1'), await send(COW1, '0x0')]
    expect(await call(node, 'hardhat_dropTransaction', [first])).toBe(true)
    expect(await call(node, 'anvil_dropTransaction', [first])).toBeNull()
    await call(node, 'anvil_removePoolTransactions', [COW1])
    expect(await call(node, 'txpool_status')).toEqual({ pending: 0, queued: 1 })
    await call(node, 'anvil_dropAllTransactions')
    expect(await call(node, 'txpool_status')).toEqual({ pending: 0, queued: 0 })
    await send(COW, '0x0')
    await call(node, 'hardhat_dropAllTransactions')
    expect(await call(node, 'txpool_status')).toEqual({ pending: 0, queued: 0 })
    const mined = await send(COW, '0x0')
    await call(node, 'evm_mine')
    await expect(call(node, 'hardhat_dropTransaction', [mined])).rejects.toThrow('is in a block')
  })
})

test.each([
  ['fees', ['later', 'early', 'next']],
  ['fifo', ['early', 'next', 'later']],
] as const)('a block has its transactions in the order %s', async (order, expected) => {
  const node = await freshNode({ mining: false, order })
  const [from, other] = await call(node, 'eth_accounts')
  const send = (sender: string, gasPrice: string, nonce: string) =>
    call(node, 'eth_sendTransaction', [{ from: sender, to: COW1, gas: '0x5208', gasPrice, nonce }])
  // The one that comes first waits for the nonce below it.
  const names = new Map([
    [await send(from, '0x9', '0x1'), 'next'],
    [await send(from, '0x1', '0x0'), 'early'],
    [await send(other, '0x5', '0x0'), 'later'],
  ])
  const listed = async (block: string): Promise<string[]> => {
    const { transactions } = await call(node, 'eth_getBlockByNumber', [block, false])
    return transactions.map((hash: string) => names.get(hash))
  }
  expect(await listed('pending')).toEqual(expected)
  await call(node, 'evm_mine')
  expect(await listed('latest')).toEqual(expected)
  expect(await call(node, 'anvil_nodeInfo')).toMatchObject({ transactionOrder: order })
})

test('eth_coinbase is the address that mines the next block', async () => {
  const node = await freshNode()
  const id = await call(node, 'evm_snapshot')
  expect(await call(node, 'eth_coinbase')).toBe(node.network.coinbase)
  await call(node, 'hardhat_setCoinbase', [COW1])
  expect(await call(node, 'eth_coinbase')).toBe(COW1)
  await call(node, 'evm_mine')
  expect((await call(node, 'eth_getBlockByNumber', ['latest', false])).miner).toBe(COW1)
  await call(node, 'evm_revert', [id])
  expect(await call(node, 'eth_coinbase')).toBe(node.network.coinbase)
})

test('eth_pendingTransactions lists what impersonated accounts sent, also once they are not', async () => {
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

describe('a node is recognized', () => {
  test('by Hardhat and Foundry', async () => {
    const node = await freshNode()
    await call(node, 'evm_mine')
    const { hash } = await call(node, 'eth_getBlockByNumber', ['latest', false])
    expect(await call(node, 'hardhat_metadata')).toEqual({
      clientVersion: await call(node, 'web3_clientVersion'),
      chainId: 33,
      instanceId: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      latestBlockNumber: 1,
      latestBlockHash: hash,
    })
    const id = await call(node, 'evm_snapshot')
    expect(await call(node, 'anvil_metadata')).toMatchObject({
      forkedNetwork: null,
      snapshots: { [id]: [1, hash] },
    })
    expect(await call(node, 'anvil_nodeInfo')).toMatchObject({
      currentBlockNumber: '0x1',
      currentBlockHash: hash,
      environment: { chainId: 33 },
    })
  })

  test('by the release that it follows', async () => {
    const version = (release: string) =>
      freshNode({ release }).then((node) => call(node, 'web3_clientVersion'))
    expect(await version('6.5.0')).toMatch(/^HardhatNetwork\/compatible\/dev-node\/\d+\.\d+\.\d+\/6\.5\.0$/)
    expect(await call(await freshNode(), 'web3_clientVersion')).toMatch(/\/9\.1\.0$/)
  })

  test("by OpenZeppelin's upgrades, which keep a manifest for each chain in development", async () => {
    const node = await freshNode({ frozenTime: true })
    expect((await call(node, 'web3_clientVersion')).split('/')[0]).toBe('HardhatNetwork')
    const instances = ['one', 'two'].map(async (id) => {
      const { instanceId } = await call(node.worlds.create(id).chain, 'anvil_metadata')
      return instanceId
    })
    const own = (await call(node, 'hardhat_metadata')).instanceId
    expect(new Set([own, ...(await Promise.all(instances))]).size).toBe(3)
  })

  test('and begins anew, but forks nothing', async () => {
    const node = await freshNode()
    await call(node, 'evm_mine')
    expect(await call(node, 'hardhat_reset', [{ forking: { blockNumber: null } }])).toBe(true)
    expect(await call(node, 'eth_blockNumber')).toBe('0x0')
    await expect(call(node, 'hardhat_reset', [{ forking: { jsonRpcUrl: 'http://x' } }])).rejects.toThrow(
      'forks no other',
    )
    await expect(call(node, 'anvil_setRpcUrl', ['http://x'])).rejects.toThrow('forks no other')
  })
})
