/** Compares eth_feeHistory with the blocks of its range. */

import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { nextBaseFee } from '../../lib/chain/fees.ts'
import type { Node } from '../../lib/node/node.ts'
import { call, freshNode, refusal } from '../support/node.ts'

const TO = `0x${'bb'.repeat(20)}`

/** Mines a block for every list: a transfer for each of its tips, in gwei. */
async function mined(node: Node, blocks: readonly (readonly number[])[]): Promise<void> {
  for (const tips of blocks) {
    for (const [index, tip] of tips.entries()) {
      const maxPriorityFeePerGas = `0x${(BigInt(tip) * 10n ** 9n).toString(16)}`
      const fees = { maxFeePerGas: '0x174876e800', maxPriorityFeePerGas }
      await call(node, 'eth_sendTransaction', [
        { from: node.funded[index]!.address, to: TO, gas: '0x5208', ...fees },
      ])
    }
    await call(node, 'evm_mine')
  }
}

const gwei = (...tips: number[]) => tips.map((tip) => `0x${(BigInt(tip) * 10n ** 9n).toString(16)}`)

describe('of any blocks', () => {
  test('base fees and gas used ratios are those of the blocks', async () => {
    const tips = fc.array(fc.array(fc.integer({ min: 1, max: 50 }), { maxLength: 4 }), { maxLength: 5 })
    await fc.assert(
      fc.asyncProperty(tips, fc.integer({ min: 1, max: 8 }), async (blocks, count) => {
        const node = await freshNode({ network: 'ethereum', mining: false })
        await mined(node, blocks)
        const history = await call(node, 'eth_feeHistory', [`0x${count.toString(16)}`, 'latest', []])
        const oldest = Math.max(0, blocks.length + 1 - count)
        const headers = Array.from(
          { length: blocks.length + 1 - oldest },
          (_, index) => node.chain.at(BigInt(oldest + index))!.block.header,
        )
        const fees = [...headers.map(({ baseFeePerGas }) => baseFeePerGas!), nextBaseFee(headers.at(-1)!)!]
        expect(BigInt(history.oldestBlock)).toBe(BigInt(oldest))
        expect(history.baseFeePerGas.map(BigInt)).toEqual(fees)
        expect(history.gasUsedRatio).toEqual(
          headers.map(({ gasUsed, gasLimit }) => Number(gasUsed) / Number(gasLimit)),
        )
      }),
      { numRuns: 10 },
    )
  })

  test('tips are read at percentiles of the gas', async () => {
    const node = await freshNode({ network: 'ethereum', mining: false })
    await mined(node, [[30, 10, 20, 40], [], [7]])
    const { reward } = await call(node, 'eth_feeHistory', ['0x3', 'latest', [0, 25, 25.1, 50, 75.5, 100]])
    expect(reward).toEqual([gwei(10, 10, 20, 20, 40, 40), gwei(0, 0, 0, 0, 0, 0), gwei(7, 7, 7, 7, 7, 7)])
  })
})

test.each([[[]], [[null]], [[[]]]])('without percentiles there are no tips: %j', async (percentiles) => {
  const node = await freshNode()
  const history = await call(node, 'eth_feeHistory', ['0x1', 'latest', ...percentiles])
  expect(history).not.toHaveProperty('reward')
})

test('the newest block can be the pending block', async () => {
  const node = await freshNode({ network: 'ethereum', mining: false })
  const history = await call(node, 'eth_feeHistory', ['0x2', 'pending', []])
  const pending = await call(node, 'eth_getBlockByNumber', ['pending'])
  expect(history.oldestBlock).toBe('0x0')
  expect(history.baseFeePerGas[1]).toBe(pending.baseFeePerGas)
})

test.each([
  ['that fall', [50, 40]],
  ['below zero', [-1]],
  ['above a hundred', [100.5]],
  ['that are text', ['50']],
  ['too many', Array.from({ length: 101 }, (_, index) => index / 2)],
])('percentiles %s are refused', async (_, percentiles) => {
  const answer = await refusal(await freshNode(), 'eth_feeHistory', ['0x1', 'latest', percentiles])
  expect(answer.kind).toBe('invalidParams')
})
