/** Methods that return blocks and headers. */

import { expect, test, describe } from '@jest/globals'
import { call, freshNode } from '../../support/node.ts'
import { afterTransfer } from '../../support/mined-transfer.ts'

test('eth_getBlocksByNumber returns the canonical block at a height', async () => {
  const { node, block } = await afterTransfer()
  const { hash, totalDifficulty, number } = block
  expect(await call(node, 'eth_getBlocksByNumber', [number])).toEqual([
    { hash, totalDifficulty, inMainChain: true },
  ])
  expect(await call(node, 'eth_getBlocksByNumber', [String(Number(number))])).toHaveLength(1)
})

describe.each(['ethereum', 'network-33'])('eth_getHeaderBy* on %s', (network) => {
  test('returns the block without its body', async () => {
    const node = await freshNode({ network })
    await call(node, 'evm_mine')
    const { size, transactions, uncles, withdrawals, ...header } = await call(node, 'eth_getBlockByNumber', [
      '0x1',
    ])
    expect([size, transactions, uncles]).toEqual([expect.any(String), [], []])
    expect(withdrawals).toEqual(network === 'ethereum' ? [] : undefined)
    expect(await call(node, 'eth_getHeaderByNumber', ['0x1'])).toEqual(header)
    expect(await call(node, 'eth_getHeaderByHash', [header.hash])).toEqual(header)
    expect(await call(node, 'eth_getHeaderByNumber', ['0x5'])).toBeNull()
  })

  test('returns the pending block without a hash, and with a nonce in every dialect but node33', async () => {
    const node = await freshNode({ network })
    for (const dialect of ['node33', 'ethereum'] as const) {
      const header = await call(node, 'eth_getHeaderByNumber', ['pending'], dialect)
      expect(header).toMatchObject({
        hash: null,
        number: '0x1',
        nonce: dialect === 'node33' ? null : expect.any(String),
      })
    }
  })
})
