/** Methods that set when the node mines. */

import { describe, expect, test } from '@jest/globals'
import { ManualHost, call, elapse, freshNode } from '../../support/node.ts'
import { COW, COW1 } from '../../support/signing.ts'

test('mining follows automine, the interval, miner_start and miner_stop', async () => {
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

test.each([
  ['hardhat', '0x0', '0x1'],
  ['node33', '0x1', '0x2'],
  ['ethereum', '0x1', '0x2'],
] as const)('automine, turned on in the dialect %s, leaves %s blocks', async (dialect, height, next) => {
  const node = await freshNode()
  const send = () => call(node, 'eth_sendTransaction', [{ from: COW, to: COW1, gas: '0x5208' }])
  await call(node, 'evm_setAutomine', [false])
  await send()
  await call(node, 'evm_setAutomine', [true], dialect)
  expect(await call(node, 'eth_blockNumber')).toBe(height)
  await send()
  // In Hardhat, one block has both.
  expect(await call(node, 'eth_blockNumber')).toBe(next)
  expect((await call(node, 'txpool_status')).pending).toBe(0)
})

describe('the interval between blocks', () => {
  test.each([
    ['evm_setIntervalMining', 'node33', 0.002],
    ['evm_setIntervalMining', 'hardhat', 0.002],
    ['evm_setIntervalMining', 'ethereum', 2],
    ['hardhat_setIntervalMining', 'ethereum', 0.002],
    ['anvil_setIntervalMining', 'hardhat', 2],
  ] as const)('2 given to %s in dialect %s is %d s', async (name, dialect, span) => {
    const node = await freshNode()
    await call(node, name, [2], dialect)
    expect(await call(node, 'anvil_getIntervalMining')).toBe(span)
  })

  test('keeps automine on in the dialect of Hardhat', async () => {
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

  test('is random for each block between the two bounds of Hardhat', async () => {
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

  test('replaces automine in the dialect of Anvil, and automine ends it', async () => {
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

  test('is at most a day, in seconds and in milliseconds', async () => {
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
