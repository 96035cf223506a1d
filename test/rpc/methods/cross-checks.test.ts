import { expect, test } from '@jest/globals'
import { call, freshNode } from '../../support/node.ts'

test.each(['ethereum', 'network-33'])(
  'dev_crossChecks counts the blocks of %s that were run twice',
  async (network) => {
    const node = await freshNode({ network, crossCheck: true })
    const [from, to] = await call(node, 'eth_accounts')
    const none = await call(node, 'dev_crossChecks')
    expect(none).toEqual({ blocks: 0, transactions: 0, failures: 0, reports: [] })
    await call(node, 'evm_mine')
    await call(node, 'eth_sendTransaction', [{ from, to, value: '0x1' }])
    const { transactions, ...others } = await call(node, 'dev_crossChecks')
    expect(others).toEqual({ blocks: 2, failures: 0, reports: [] })
    // Each block of network 33 may end with a transaction of the network.
    expect(transactions).toBe(node.network.systemTransaction ? 3 : 1)
  },
)

test('counts nothing without the option', async () => {
  const node = await freshNode({ network: 'ethereum' })
  await call(node, 'evm_mine')
  expect(await call(node, 'dev_crossChecks')).toMatchObject({ blocks: 0 })
})
