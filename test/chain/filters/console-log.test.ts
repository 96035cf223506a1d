import { runAtOnce } from '../../../lib/base/routine.ts'
import { expect, test } from '@jest/globals'
import type { LoggedBlock } from '../../../lib/chain/filters/console-log.ts'
import { call } from '../../support/node.ts'
import { talkingNode } from '../../support/talker.ts'

test('the console output of a restored block is not printed again', async () => {
  const { node, request, logged } = await talkingNode()
  const before = await call(node, 'evm_snapshot')
  expect((await logged('eth_sendTransaction', [request('set', [5])])).console).toHaveLength(1)
  const after = await call(node, 'evm_snapshot')
  await call(node, 'evm_revert', [before, { keep: true }])
  expect(await logged('evm_revert', [after])).not.toHaveProperty('console')
  expect((await call(node, 'eth_blockNumber')) as string).toBe('0x2')
})

test('a failed request removes its listener', async () => {
  const { node, request } = await talkingNode()
  const unasked: LoggedBlock[] = []
  node.consoleLog.unrequested.on((block) => unasked.push(block))
  const told: LoggedBlock[] = []
  const failing = () => {
    throw new Error('no')
  }
  expect(() => node.consoleLog.during((block) => told.push(block), failing)).toThrow('no')
  await expect(
    node.consoleLog.during(
      (block) => told.push(block),
      () => Promise.reject(new Error('no')),
    ),
  ).rejects.toThrow('no')
  await call(node, 'evm_stopMining')
  await call(node, 'eth_sendTransaction', [request('set', [5])])
  runAtOnce(node.miner.mine())
  expect([told, unasked.map(({ receipts }) => receipts.length)]).toEqual([[], [1]])
})
