/** Time, mining and snapshots of the reference node (node-rpc 5.11 and 7.3). */

import { expect, test } from '@jest/globals'
import { faithfulNode } from '../../support/faithful.ts'

test('one block uses up what evm_increaseTime adds', async () => {
  const { ask } = await faithfulNode()
  const time = async () => Number((await ask('eth_getBlockByNumber', 'latest', false)).timestamp)
  const increase = (seconds: number) => ask('evm_increaseTime', seconds)
  const mine = async (): Promise<number> => {
    await ask('evm_mine')
    return time()
  }
  const start = await mine()
  // The answers and times of the recorded session l-logs-time.
  expect(await increase(100)).toBe('0x64')
  expect(await mine()).toBe(start + 100)
  expect([await increase(1000), await increase(1000)]).toEqual(['0x3e8', '0x7d0'])
  expect(await mine()).toBe(start + 2000)
  expect(await increase(50)).toBe('0x32')
  expect(await mine()).toBe(start + 2001)
  expect(await increase(-5)).toBe('0x0')
})

test('evm_stopMining does not stop mining', async () => {
  const { ask, send, other: to } = await faithfulNode()
  expect(await ask('evm_stopMining')).toBe(null)
  await send({ to })
  expect([await ask('eth_blockNumber'), await ask('eth_mining')]).toEqual(['0x1', true])
  expect(await ask('evm_startMining')).toBe(null)
})

test('the id of a snapshot is its position, and a revert forgets the later ones', async () => {
  const { ask } = await faithfulNode()
  const take = () => ask('evm_snapshot')
  expect([await take(), await take(), await take()]).toEqual(['0x1', '0x2', '0x3'])
  expect(await ask('evm_revert', '0x1')).toBe(true)
  expect(await ask('evm_revert', '0x2')).toBe(false)
  expect(await take()).toBe('0x2')
  expect(await ask('evm_revert', '0x1')).toBe(true)
})

test.each(['evm_revert', 'evm_reset'])('%s empties the pool and keeps the accounts', async (method) => {
  const { ask, send, other: to } = await faithfulNode()
  const id = await ask('evm_snapshot')
  const account = await ask('personal_newAccount', 'secret')
  await send({ to })
  await send({ to, nonce: '0x9' })
  await (method === 'evm_revert' ? ask(method, id) : ask(method))
  expect(await ask('txpool_status')).toEqual({ pending: 0, queued: 0 })
  expect(await ask('eth_blockNumber')).toBe('0x0')
  expect(await ask('eth_accounts')).toContain(account)
})
