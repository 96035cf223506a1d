import { describe, expect, test } from '@jest/globals'
import { call, freshNode, refusal } from '../../support/node.ts'
import type { Node } from '../../../lib/node/node.ts'

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

const CONTRACT = `0x${'99'.repeat(20)}`

/** `Error("why")`, as Solidity encodes it. */
const WHY = `0x08c379a0${'20'.padStart(64, '0')}${'3'.padStart(64, '0')}${'776879'.padEnd(64, '0')}`

/** Code that reverts with its calldata. */
const REVERTER = '0x366000600037366000fd'
/** Code that returns its calldata. */
const ECHO = '0x366000600037366000f3'

async function send(node: Node, data: string): Promise<string> {
  const [from] = await call(node, 'eth_accounts')
  const request = { from, to: CONTRACT, data, gas: '0x30000' }
  return call(node, 'eth_sendTransaction', [request])
}

describe.each(['network-33', 'ethereum'])('blocks mined in detail, on %s', (network) => {
  test.each([
    ['returned', ECHO, {}],
    ['reverted with', REVERTER, { revertReason: 'why' }],
  ])('have transactions that %s', async (_case, code, failure) => {
    const node = await freshNode({ network })
    await call(node, 'evm_setAutomine', [false])
    await call(node, 'hardhat_setCode', [CONTRACT, code])
    const hash = await send(node, WHY)
    const [block, ...others] = await call(node, 'evm_mine_detailed')
    expect(others).toEqual([])
    const { transactions, ...rest } = await call(node, 'eth_getBlockByNumber', ['latest', true])
    expect(block).toMatchObject(rest)
    expect(transactions[0].hash).toBe(hash)
    expect(block.transactions[0]).toEqual({ ...transactions[0], output: WHY, ...failure })
    expect(block.transactions).toHaveLength(transactions.length)
  })

  test('have the error of an exceptional halt', async () => {
    const node = await freshNode({ network })
    await call(node, 'evm_setAutomine', [false])
    await call(node, 'hardhat_setCode', [CONTRACT, '0xfe'])
    await send(node, '0x')
    const [block] = await call(node, 'anvil_mine_detailed')
    expect(block.transactions[0]).toMatchObject({
      output: '0x',
      revertReason: expect.stringContaining('invalid'),
    })
  })

  test('have the requested count and the requested first timestamp', async () => {
    const node = await freshNode({ network })
    const blocks = await call(node, 'evm_mine_detailed', [{ blocks: 3, timestamp: 4_000_000_000 }])
    expect(blocks.map(({ number }: { number: string }) => number)).toEqual(['0x1', '0x2', '0x3'])
    expect(blocks[0].timestamp).toBe('0xee6b2800')
    expect(await call(node, 'eth_getBlockByNumber', ['latest', false])).toMatchObject({
      hash: blocks[2].hash,
    })
  })
})

test('evm_mine_detailed refuses more blocks than a result holds', async () => {
  const node = await freshNode()
  expect(await refusal(node, 'evm_mine_detailed', [{ blocks: 1001 }])).toEqual({
    kind: 'invalidParams',
    message: expect.stringContaining('at most 1000 blocks'),
  })
  expect(await call(node, 'eth_blockNumber')).toBe('0x0')
})
