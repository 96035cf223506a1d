/** References to blocks: every method reads them by the same rule. */

import { describe, expect, test } from '@jest/globals'
import type { Node } from '../../lib/node/node.ts'
import { call, freshNode, refusal } from '../support/node.ts'
import { TO, latest, afterTransfer } from './support/mined-transfer.ts'

describe('references to a block', () => {
  const asking: readonly (readonly [string, (block: unknown) => readonly unknown[]])[] = [
    ['eth_getBalance', (block) => [TO, block]],
    ['eth_getCode', (block) => [TO, block]],
    ['eth_getStorageAt', (block) => [TO, '0x0', block]],
    ['eth_getTransactionCount', (block) => [TO, block]],
    ['eth_getProof', (block) => [TO, [], block]],
    ['eth_getAccountInfo', (block) => [TO, block]],
    ['eth_call', (block) => [{ to: TO }, block]],
    ['eth_estimateGas', (block) => [{ to: TO }, block]],
    ['eth_createAccessList', (block) => [{ to: TO }, block]],
    ['eth_simulateV1', (block) => [{ blockStateCalls: [{}] }, block]],
    ['eth_getBlockReceipts', (block) => [block]],
  ]

  test.each(asking)(
    '%s returns the same for the number, the hash and both objects of a block',
    async (method, paramsOf) => {
      const { node, block } = await afterTransfer()
      await call(node, 'evm_mine')
      const references = [
        block.hash,
        { blockHash: block.hash },
        { blockHash: block.hash, requireCanonical: true },
        { blockNumber: block.number },
      ]
      const expected = await call(node, method, paramsOf(block.number))
      for (const reference of references)
        expect(await call(node, method, paramsOf(reference))).toEqual(expected)
    },
  )

  test.each(asking)('%s does not find a reverted block as canonical', async (method, paramsOf) => {
    const node = await freshNode()
    const id = await call(node, 'evm_snapshot')
    await call(node, 'evm_mine')
    const { hash } = await latest(node)
    await call(node, 'evm_revert', [id])
    const params = paramsOf({ blockHash: hash, requireCanonical: true })
    if (method === 'eth_getBlockReceipts') expect(await call(node, method, params)).toBeNull()
    else expect((await refusal(node, method, params)).kind).toBe('unknownBlock')
  })
})

describe('--slots-in-an-epoch', () => {
  const numberOf = async (node: Node, tag: string): Promise<number> =>
    Number((await call(node, 'eth_getBlockByNumber', [tag])).number)

  test('safe and finalized are the newest block without it', async () => {
    const node = await freshNode()
    await call(node, 'hardhat_mine', ['0x9'])
    expect([await numberOf(node, 'safe'), await numberOf(node, 'finalized')]).toEqual([9, 9])
  })

  test('safe is an epoch below the newest block and finalized two, but not below the first block', async () => {
    const node = await freshNode({ slotsInAnEpoch: 3n })
    await call(node, 'hardhat_mine', ['0x5'])
    expect([await numberOf(node, 'safe'), await numberOf(node, 'finalized')]).toEqual([2, 0])
    await call(node, 'hardhat_mine', ['0x4'])
    expect([await numberOf(node, 'safe'), await numberOf(node, 'finalized')]).toEqual([6, 3])
  })

  test('states are those of the safe block, and logs end there', async () => {
    const node = await freshNode({ slotsInAnEpoch: 2n })
    const balances = []
    for (const balance of ['0x1', '0x2', '0x3', '0x4']) {
      await call(node, 'hardhat_setBalance', [TO, balance])
      await call(node, 'evm_mine')
      balances.push(await call(node, 'eth_getBalance', [TO, 'safe']))
    }
    const { number } = await call(node, 'eth_getBlockByNumber', ['safe'])
    expect(balances.at(-1)).toBe(await call(node, 'eth_getBalance', [TO, number]))
    expect(balances.at(-1)).not.toBe('0x4')
    const beyond = call(node, 'eth_getLogs', [{ fromBlock: 'latest', toBlock: 'safe' }], 'ethereum')
    await expect(beyond).rejects.toThrow('invalid block range params')
  })
})
