/** Snapshots, reverts and resets. */

import { expect, test } from '@jest/globals'
import { call, freshNode } from '../../support/node.ts'

test('evm_revert returns whether the snapshot exists, and drops later ones without keep', async () => {
  const node = await freshNode()
  const ids: string[] = []
  for (const name of ['one', 'two', 'three']) ids.push(await call(node, 'evm_snapshot', [{ name }]))
  const left = async () => (await call(node, 'dev_snapshots')).map(({ id }: { id: string }) => id)
  expect(await call(node, 'evm_revert', ['one', { keep: true }])).toBe(true)
  expect(await left()).toEqual(ids)
  expect(await call(node, 'dev_dropSnapshot', ['one'])).toBe(true)
  expect(await call(node, 'evm_revert', [ids[1]])).toBe(true)
  expect(await left()).toEqual([ids[1]])
  for (const gone of [ids[0], 'three']) expect(await call(node, 'evm_revert', [gone])).toBe(false)
})

test('hardhat_reset without a remote chain restores genesis', async () => {
  const node = await freshNode()
  await call(node, 'evm_mine')
  const empty = { forking: { jsonRpcUrl: undefined, blockNumber: null } }
  expect(await call(node, 'hardhat_reset', [empty])).toBe(true)
  expect(await call(node, 'eth_blockNumber')).toBe('0x0')
  await expect(call(node, 'anvil_setRpcUrl', ['http://x'])).rejects.toThrow(
    'hardhat_reset with forking continues another one',
  )
})
