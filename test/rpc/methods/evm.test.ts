/** Blocks on request and the time of blocks. */

import { describe, expect, test } from '@jest/globals'
import { call, freshNode } from '../../support/node.ts'

describe('the clock', () => {
  test('is advanced by increaseTime under every prefix', async () => {
    const node = await freshNode()
    const prefixes = ['evm', 'anvil', 'hardhat', 'ganache']
    const moved = prefixes.map((prefix) => call(node, `${prefix}_increaseTime`, ['0x5']))
    expect(await Promise.all(moved)).toEqual(['0x5', '0xa', '0xf', '0x14'])
  })

  test('is set by evm_setTime in seconds or milliseconds, also backwards', async () => {
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

describe('evm_mine', () => {
  const latest = (node: Parameters<typeof call>[0]) => call(node, 'eth_getBlockByNumber', ['latest', false])

  test.each([false, true])(
    'refuses a timestamp before the head, and takes an equal one with allowSameTimestamp %s',
    async (allowed) => {
      const node = await freshNode({ allowSameTimestamp: allowed })
      await call(node, 'evm_mine', [4_000_000_000])
      await call(node, 'evm_mine', [4_000_000_000])
      expect(Number((await latest(node)).timestamp)).toBe(allowed ? 4_000_000_000 : 4_000_000_001)
      await expect(call(node, 'evm_mine', [3_999_999_999])).rejects.toThrow('not after the head')
    },
  )
})
