/** References to blocks: every method reads them by the same rule. */

import { describe, expect, test } from '@jest/globals'
import { call, freshNode, refusal } from '../support/node.ts'
import { TO, latest, afterTransfer } from '../support/mined-transfer.ts'

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
