/** Work on several chains at once. */

import { expect, test } from '@jest/globals'
import { aloneOnAll } from '../../../lib/node/worlds/worlds.ts'
import { call, freshNode } from '../../support/node.ts'

async function twoChains() {
  const node = await freshNode()
  return [node, node.worlds.create().chain] as const
}

test('lets no other write in before it ends, on none of the chains', async () => {
  const chains = await twoChains()
  const order: string[] = []
  const work = aloneOnAll(chains, async () => {
    order.push('begun')
    await new Promise((resolve) => setImmediate(resolve))
    order.push('ended')
  })
  const writes = chains.map((chain) => call(chain, 'evm_mine').then(() => order.push('mined')))
  await Promise.all([work, ...writes])
  expect(order).toEqual(['begun', 'ended', 'mined', 'mined'])
})

test('waits for a write that is under way on one of them', async () => {
  const chains = await twoChains()
  const order: string[] = []
  const write = chains[1].instance.lock.run('write', async () => {
    await new Promise((resolve) => setImmediate(resolve))
    order.push('written')
  })
  await aloneOnAll(chains, async () => void order.push('begun'))
  await write
  expect(order).toEqual(['written', 'begun'])
})

test('undoes in all of them what failed work has changed, and lets the next request in', async () => {
  const chains = await twoChains()
  const failing = aloneOnAll(chains, async () => {
    for (const { miner } of chains) await miner.mineMany(1n)
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  for (const chain of chains) expect(await call(chain, 'eth_blockNumber')).toBe('0x0')
})

test('without chains is the work alone', async () => {
  const done: string[] = []
  await aloneOnAll([], async () => void done.push('done'))
  expect(done).toEqual(['done'])
})
