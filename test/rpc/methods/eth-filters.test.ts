/** Filters of blocks, pending transactions and logs. */

import { runAtOnce } from '../../../lib/base/routine.ts'
import { describe, expect, test } from '@jest/globals'
import type { Node } from '../../../lib/node/node.ts'
import { CONTRACTS, creationCode, words } from '../../support/bytecode.ts'
import { ManualHost, call, freshNode, refusal } from '../../support/node.ts'
import { toHex } from '../../../lib/base/hex.ts'

/** A node with a contract that logs the first word of its call data as a topic. */
async function loggingNode(host = new ManualHost()) {
  const node = await freshNode({}, host)
  const from = node.funded[0]!.address
  const send = (fields: object) => call(node, 'eth_sendTransaction', [{ from, gas: '0x100000', ...fields }])
  const hash = await send({ data: toHex(creationCode(CONTRACTS.environment)) })
  const { contractAddress: address } = await call(node, 'eth_getTransactionReceipt', [hash])
  const log = (topic: bigint) => send({ to: address, data: words([topic]) })
  return { node, address, log, host }
}

const poll = (node: Node, id: string) => call(node, 'eth_getFilterChanges', [id])

/** Topics and removal of the logs that a poll returns, in their order. */
async function polledLogs(node: Node, id: string): Promise<readonly string[]> {
  const logs: { topics: string[]; removed: boolean }[] = await poll(node, id)
  return logs.map(({ topics, removed }) => `${removed ? '-' : '+'}${BigInt(topics[0]!)}`)
}

async function filterLogs(node: Node, id: string): Promise<readonly bigint[]> {
  const logs: { topics: string[] }[] = await call(node, 'eth_getFilterLogs', [id])
  return logs.map(({ topics }) => BigInt(topics[0]!))
}

describe('block filter', () => {
  test('collects the blocks since the last poll, in order', async () => {
    const node = await freshNode()
    runAtOnce(node.miner.mine())
    const id = await call(node, 'eth_newBlockFilter')
    expect(await poll(node, id)).toEqual([])
    await node.miner.mineMany(2n)
    expect(await poll(node, id)).toEqual([2n, 3n].map((number) => node.chain.at(number)!.block.hash))
    expect(await poll(node, id)).toEqual([])
  })

  test('returns no blocks that a revert removed before the poll', async () => {
    const node = await freshNode()
    const id = await call(node, 'eth_newBlockFilter')
    runAtOnce(node.miner.mine())
    const snapshot = node.snapshots.take()
    await node.miner.mineMany(2n)
    node.snapshots.revert(snapshot)
    node.clock.increase(100n)
    runAtOnce(node.miner.mine())
    expect(await poll(node, id)).toEqual([1n, 2n].map((number) => node.chain.at(number)!.block.hash))
  })
})

test('pending transaction filter collects transactions that enter the pool, also with instant mining', async () => {
  const node = await freshNode()
  const [from, to] = node.funded.map(({ address }) => address)
  const id = await call(node, 'eth_newPendingTransactionFilter')
  const send = (nonce: string) => call(node, 'eth_sendTransaction', [{ from, to, nonce }])
  const hashes = [await send('0x0'), await send('0x5')]
  expect(await poll(node, id)).toEqual(hashes)
  expect(await poll(node, id)).toEqual([])
})

describe('log filter', () => {
  test('collects matching logs since the last poll', async () => {
    const { node, address, log } = await loggingNode()
    const topics = [null, words([BigInt(node.funded[0]!.address)])]
    const all = await call(node, 'eth_newFilter', [{ address, topics }])
    const sevens = await call(node, 'eth_newFilter', [{ topics: [[words([7n]), words([9n])]] }])
    for (const topic of [7n, 8n, 9n]) await log(topic)
    expect(await polledLogs(node, all)).toEqual(['+7', '+8', '+9'])
    expect(await polledLogs(node, sevens)).toEqual(['+7', '+9'])
    expect(await polledLogs(node, all)).toEqual([])
  })

  test('returns polled logs as removed after a revert, newest first, and no others', async () => {
    const { node, log } = await loggingNode()
    const id = await call(node, 'eth_newFilter', [{}])
    const snapshot = node.snapshots.take()
    await log(1n)
    await log(2n)
    await polledLogs(node, id)
    await log(3n)
    node.snapshots.revert(snapshot)
    await log(4n)
    expect(await polledLogs(node, id)).toEqual(['-2', '-1', '+4'])
  })

  test('returns no removed logs from before the filter was installed', async () => {
    const { node, log } = await loggingNode()
    const snapshot = node.snapshots.take()
    await log(1n)
    const id = await call(node, 'eth_newFilter', [{}])
    await log(2n)
    await polledLogs(node, id)
    node.snapshots.revert(snapshot)
    expect(await polledLogs(node, id)).toEqual(['-2'])
    await log(3n)
    await polledLogs(node, id)
    node.snapshots.revert(snapshot)
    expect(await polledLogs(node, id)).toEqual(['-3'])
  })

  test('returns logs again when a second revert restores them', async () => {
    const { node, log } = await loggingNode()
    const id = await call(node, 'eth_newFilter', [{}])
    const snapshot = node.snapshots.take()
    await log(1n)
    await polledLogs(node, id)
    node.snapshots.revert(snapshot)
    await log(2n)
    node.snapshots.revert(snapshot)
    expect(await polledLogs(node, id)).toEqual(['-1'])
  })

  test.each([
    ['from the second block on', { fromBlock: '0x3' }, ['+2', '+3']],
    ['up to the second block', { toBlock: '0x3' }, ['+1', '+2']],
    ['of one block', { fromBlock: '0x3', toBlock: '0x3' }, ['+2']],
    ['from the newest block on', { fromBlock: 'latest', toBlock: 'pending' }, ['+1', '+2', '+3']],
  ])('collects logs %s', async (_case, bounds, expected) => {
    const { node, log } = await loggingNode()
    const id = await call(node, 'eth_newFilter', [bounds])
    for (const topic of [1n, 2n, 3n]) await log(topic)
    expect(await polledLogs(node, id)).toEqual(expected)
  })

  test('returns all its logs to eth_getFilterLogs without moving the poll position', async () => {
    const { node, log } = await loggingNode()
    await log(1n)
    const [fromNow, fromStart] = [{}, { fromBlock: 'earliest' }].map((filter) =>
      call(node, 'eth_newFilter', [filter]),
    )
    await log(2n)
    await log(3n)
    // Logs of the block that was the newest at the installation count.
    expect(await filterLogs(node, await fromNow)).toEqual([1n, 2n, 3n])
    expect(await filterLogs(node, await fromStart)).toEqual([1n, 2n, 3n])
    expect(await polledLogs(node, await fromNow)).toEqual(['+2', '+3'])
  })

  test('returns logs of blocks from before its installation to eth_getFilterLogs', async () => {
    const { node, log } = await loggingNode()
    const snapshot = node.snapshots.take()
    for (const topic of [1n, 2n, 3n]) await log(topic)
    const id = await call(node, 'eth_newFilter', [{}])
    node.snapshots.revert(snapshot)
    await log(4n)
    expect(await filterLogs(node, id)).toEqual([4n])
  })

  test('is the only filter that eth_getFilterLogs takes', async () => {
    const node = await freshNode()
    const id = await call(node, 'eth_newBlockFilter')
    expect(await refusal(node, 'eth_getFilterLogs', [id])).toMatchObject({ kind: 'unknownFilter' })
  })
})

describe('filters', () => {
  test('have ids that are never reused, also after a reset', async () => {
    const node = await freshNode()
    const first = await call(node, 'eth_newBlockFilter')
    expect(await call(node, 'eth_uninstallFilter', [first])).toBe(true)
    expect(await call(node, 'eth_uninstallFilter', [first])).toBe(false)
    node.snapshots.reset()
    expect(await call(node, 'eth_newBlockFilter')).not.toBe(first)
    expect(await refusal(node, 'eth_getFilterChanges', [first])).toMatchObject({ kind: 'unknownFilter' })
  })

  test('outlive a revert and a reset', async () => {
    const node = await freshNode()
    const snapshot = node.snapshots.take()
    const id = await call(node, 'eth_newBlockFilter')
    node.snapshots.revert(snapshot)
    node.snapshots.reset()
    expect(await poll(node, id)).toEqual([])
  })

  test('expire without a poll for the time of the option', async () => {
    const { node, host } = await loggingNode()
    const [polled, forgotten] = [
      await call(node, 'eth_newBlockFilter'),
      await call(node, 'eth_newPendingTransactionFilter'),
    ]
    host.step(200_000)
    await poll(node, polled)
    host.step(100_001)
    runAtOnce(node.miner.mine())
    expect(await poll(node, polled)).toHaveLength(1)
    expect(await refusal(node, 'eth_getFilterChanges', [forgotten])).toMatchObject({ kind: 'unknownFilter' })
    expect(await call(node, 'eth_uninstallFilter', [forgotten])).toBe(false)
  })

  test('collect a hundred thousand blocks in linear time', async () => {
    const node = await freshNode()
    const id = node.filters.addHashes('blocks')
    const { head } = node.chain
    for (let mined = 0; mined < 100_000; mined++) node.chain.headChanged.emit({ removed: [], added: [head] })
    expect(runAtOnce(node.filters.poll(id))).toMatchObject({ pending: { length: 100_000 } })
  })
})

test('eth_getLogs with an end below the newest block, at which it begins by default, says so', async () => {
  const { node, log } = await loggingNode()
  await log(1n)
  const { kind, message } = await refusal(node, 'eth_getLogs', [{ toBlock: '0x1' }])
  expect(kind).toBe('invalidParams')
  expect(message).toBe(
    'params[0].toBlock (filter): 1 is below fromBlock, which is the newest block, 2, unless it is given',
  )
  expect(await call(node, 'eth_getLogs', [{ fromBlock: '0x2', toBlock: '0x1' }])).toEqual([])
})
