import { describe, expect, test } from '@jest/globals'
import type { Node } from '../../lib/node/node.ts'
import { call, freshNode } from '../support/node.ts'

/** An account whose balance after each block is the number of the block. */
const COUNTER = `0x${'c0'.repeat(20)}`

const quantity = (value: number): string => `0x${value.toString(16)}`

/** Mines blocks with a transfer of one wei to the counter. */
async function mine(node: Node, count: number): Promise<void> {
  const from = node.funded[0]!.address
  for (let sent = 0; sent < count; sent++)
    await call(node, 'eth_sendTransaction', [{ from, to: COUNTER, value: '0x1', gas: '0x5208' }])
}

const balanceAt = (node: Node, block: number): Promise<unknown> =>
  call(node, 'eth_getBalance', [COUNTER, quantity(block)])

/** Checks the balance after blocks, and that it is the number of the block. */
async function expectKept(node: Node, ...blocks: readonly number[]): Promise<void> {
  for (const block of blocks) expect(await balanceAt(node, block)).toBe(quantity(block))
}

const DROPPED = /^required historical state unavailable: the state after block \d+ was dropped.*--keep-states/

async function expectDropped(node: Node, ...blocks: readonly number[]): Promise<void> {
  for (const block of blocks) await expect(balanceAt(node, block)).rejects.toThrow(DROPPED)
}

const nodeKeeping = (keepStates: number, options: object = {}): Promise<Node> =>
  freshNode({ network: 'ethereum', keepStates, ...options })

describe('old states', () => {
  test('are dropped, but genesis, blocks, receipts and logs are not', async () => {
    const node = await nodeKeeping(5)
    await mine(node, 20)
    await expectDropped(node, 1, 14)
    await expectKept(node, 0, 15, 16, 20)
    const { transactions } = await call(node, 'eth_getBlockByNumber', ['0x3', false])
    expect(await call(node, 'eth_getTransactionReceipt', transactions)).toMatchObject({ blockNumber: '0x3' })
    await expect(call(node, 'debug_traceTransaction', transactions)).rejects.toMatchObject({
      kind: 'stateDropped',
    })
  })

  test('of a snapshot are kept until it is dropped, and a revert finds them', async () => {
    const node = await nodeKeeping(2)
    await mine(node, 4)
    const id = await call(node, 'evm_snapshot')
    await mine(node, 10)
    await expectKept(node, 4, 12)
    await expectDropped(node, 3, 5)
    await call(node, 'evm_revert', [id])
    await mine(node, 1)
    await expectKept(node, 4, 5)
    await call(node, 'dev_dropSnapshot', [id])
    await mine(node, 10)
    await expectDropped(node, 4)
  })

  test('of a kept later branch are there after a revert to it', async () => {
    const node = await nodeKeeping(2)
    const early = await call(node, 'evm_snapshot')
    await mine(node, 10)
    const late = await call(node, 'evm_snapshot')
    await call(node, 'evm_revert', [early, { keep: true }])
    await mine(node, 6)
    await call(node, 'evm_revert', [late, { keep: true }])
    await expectKept(node, 8, 9, 10)
    await mine(node, 3)
    await expectKept(node, 10, 11, 13)
  })

  test('that a world needs are kept until they are old there too', async () => {
    const node = await nodeKeeping(3)
    await mine(node, 6)
    await call(node, 'dev_createWorld', [{ id: 'one' }])
    const world = node.worlds.acquire('one').chain
    await mine(node, 10)
    await expectKept(world, 3, 4, 5, 6)
    await mine(world, 10)
    await expectDropped(world, 3, 5)
    await expectDropped(node, 3, 5)
    await call(world, 'evm_reset')
    await expectKept(world, 6)
  })

  test('of reserved blocks are those of the block before them', async () => {
    const node = await nodeKeeping(10, { network: 'network-33' })
    await mine(node, 2)
    await call(node, 'hardhat_mine', ['0x3e8'])
    for (const block of [995, 1000, 1002]) expect(await balanceAt(node, block)).toBe('0x2')
    await mine(node, 20)
    await expectDropped(node, 2, 500, 1002)
    expect(await call(node, 'eth_getBlockByNumber', ['0x1f4', false])).toMatchObject({ number: '0x1f4' })
  })

  test('are not those before a long run of reserved blocks, which count by the states that they hold', async () => {
    const node = await nodeKeeping(2000, { network: 'network-33' })
    await mine(node, 3)
    await call(node, 'hardhat_mine', ['0xf4240'])
    await mine(node, 1)
    await expectKept(node, 1, 2, 3)
  })

  test('bound reorganisations', async () => {
    const node = await nodeKeeping(4)
    await mine(node, 8)
    await call(node, 'anvil_reorg', [2, []])
    expect(await balanceAt(node, 8)).toBe('0x6')
    await mine(node, 10)
    await expect(call(node, 'anvil_reorg', [10, []])).rejects.toThrow(DROPPED)
    expect(node.chain.height).toBe(18n)
  })

  test('are not in a state file, whose other states are loaded', async () => {
    const node = await nodeKeeping(3)
    await mine(node, 4)
    const id = await call(node, 'evm_snapshot')
    await mine(node, 8)
    for (const stateParts of [
      ['blocks', 'transactions', 'receipts', 'snapshots'],
      ['blocks', 'transactions', 'snapshots'],
    ]) {
      const selection = Object.fromEntries(
        ['blocks', 'transactions', 'receipts', 'snapshots'].map((part) => [part, stateParts.includes(part)]),
      )
      const loaded = await nodeKeeping(100)
      await call(loaded, 'dev_loadState', [await call(node, 'dev_dumpState', [selection])])
      await expectKept(loaded, 0, 4, 9, 12)
      await expectDropped(loaded, 1, 5, 8)
      expect(await call(loaded, 'eth_getBlockReceipts', ['0x2'])).toEqual(
        await call(node, 'eth_getBlockReceipts', ['0x2']),
      )
      await mine(loaded, 1)
      await expectKept(loaded, 13)
      await call(loaded, 'evm_revert', [id])
      await expectKept(loaded, 4)
    }
  })
})
