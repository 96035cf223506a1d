import { expect, test } from '@jest/globals'
import { call, freshNode } from '../../support/node.ts'

const [from, to] = ['0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266', `0x${'aa'.repeat(20)}`]
const KINDS = ['states', 'blocks', 'receipts', 'indexes', 'pool', 'snapshots', 'caches', 'worlds']

async function nodeWithBlocks(count: number) {
  const node = await freshNode({ network: 'ethereum', maxMemory: '64m' })
  const send = (nonce?: string) =>
    call(node, 'eth_sendTransaction', [
      { from, to, value: '0x1', gas: '0x5208', ...(nonce === undefined ? {} : { nonce }) },
    ])
  for (let sent = 0; sent < count; sent++) await send()
  return { node, send, memory: () => call(node, 'dev_memory') }
}

test('dev_memory tells the limit and the memory of the process, and the sum of the kinds', async () => {
  const { memory } = await nodeWithBlocks(5)
  const { limit, sum, process, ...kinds } = await memory()
  expect(Object.keys(kinds)).toEqual(KINDS)
  expect(limit).toBe(64 * 2 ** 20)
  expect(sum).toBe(KINDS.reduce((total, kind) => total + Number(kinds[kind]), 0))
  expect(process.heap).toBeGreaterThan(sum)
  expect(process.rss).toBeGreaterThan(process.heap)
})

test('each kind grows with what it counts', async () => {
  const { node, send, memory } = await nodeWithBlocks(20)
  const before = await memory()
  const grows = async (kind: string, change: () => Promise<unknown>) => {
    const earlier = (await memory())[kind]
    await change()
    expect([kind, (await memory())[kind] > earlier]).toEqual([kind, true])
  }
  await grows('pool', () => send('0x999'))
  await grows('snapshots', () => call(node, 'evm_snapshot'))
  await grows('worlds', () => call(node, 'dev_createWorld', [{ id: 'one' }]))
  await grows('worlds', () => call(node.worlds.acquire('one').chain, 'evm_mine'))
  for (const kind of ['states', 'blocks', 'receipts', 'indexes']) await grows(kind, () => send())
  expect(before.caches).toBe(0)
  for (const entry of node.chain.entriesFrom(0)) entry.pack()
  // Packed blocks are smaller.
  expect((await memory()).blocks).toBeLessThan(before.blocks)
})

test('a world tells the memory of the whole node', async () => {
  const { node, memory } = await nodeWithBlocks(5)
  await call(node, 'dev_createWorld', [{ id: 'one' }])
  const ofWorld = await call(node.worlds.acquire('one').chain, 'dev_memory')
  expect(ofWorld).toEqual({ ...(await memory()), process: ofWorld.process })
})
