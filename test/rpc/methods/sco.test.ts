/** Bans, and the peers of a node that has none. */

import { expect, test } from '@jest/globals'
import { call, freshNode, refusal } from '../../support/node.ts'

test('bans are listed once, as written, until they are removed', async () => {
  const node = await freshNode()
  for (const address of ['192.168.51.1', '192.168.51.1/16', '192.168.51.1']) {
    expect(await call(node, 'sco_banAddress', [address])).toBeNull()
  }
  expect(await call(node, 'sco_bannedAddresses')).toEqual(['192.168.51.1', '192.168.51.1/16'])
  await call(node, 'sco_unbanAddress', ['192.168.51.1'])
  expect(await call(node, 'sco_bannedAddresses')).toEqual(['192.168.51.1/16'])
})

test('a revert keeps a ban', async () => {
  const node = await freshNode()
  const id = await call(node, 'evm_snapshot')
  await call(node, 'sco_banAddress', ['10.1.2.3'])
  await call(node, 'evm_revert', [id])
  expect(await call(node, 'sco_bannedAddresses')).toEqual(['10.1.2.3'])
})

test.each(['sco_banAddress', 'sco_unbanAddress'])('%s names an invalid address', async (method) => {
  const { kind, message } = await refusal(await freshNode(), method, ['localhost'])
  expect(kind).toBe('invalidParams')
  expect(message).toContain('invalid banned address, got "localhost"')
})

test('peer lists are empty and reputation counts are zero', async () => {
  const node = await freshNode()
  const summary = await call(node, 'sco_reputationSummary')
  expect(Object.keys(summary)).toHaveLength(17)
  expect(Object.values(summary).filter((count) => count !== 0)).toEqual([])
  for (const method of ['sco_peerList', 'net_peerList']) expect(await call(node, method)).toEqual([])
  expect(await call(node, 'sco_clearPeerScoring', ['10.1.2.3'])).toEqual([])
})
