/** Filters of blocks, pending transactions and logs. */

import { describe, expect, test } from '@jest/globals'
import { toHex } from '../../../lib/base/hex.ts'
import { runAtOnce } from '../../../lib/base/routine.ts'
import type { Node } from '../../../lib/node/node.ts'
import { transactionObject } from '../../../lib/schema/results.ts'
import { CONTRACTS, creationCode, words } from '../../support/bytecode.ts'
import { ManualHost, call, freshNode, refusal } from '../../support/node.ts'
import { connectSocket, withSockets, type SocketClient } from '../../support/socket.ts'

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

/** A contract that logs the first word of its call data as a topic; returns how to make it log. */
async function deployLogger(client: SocketClient) {
  const [from] = await client.call('eth_accounts')
  const send = (fields: object): Promise<string> =>
    client.call('eth_sendTransaction', [{ from, gas: '0x100000', ...fields }])
  const hash = await send({ data: toHex(creationCode(CONTRACTS.environment)) })
  const { contractAddress: address } = await client.call('eth_getTransactionReceipt', [hash])
  return { address, log: (topic: bigint) => send({ to: address, data: words([topic]) }) }
}

describe('newHeads', () => {
  test('are headers of blocks, without transactions', () =>
    withSockets({ network: 'ethereum' }, async (server) => {
      const client = await connectSocket(server)
      const id = await client.call('eth_subscribe', ['newHeads'])
      const withdrawal = {
        index: '0x0',
        validatorIndex: '0x1',
        address: `0x${'5a'.repeat(20)}`,
        amount: '0x2',
      }
      await client.call('dev_addWithdrawal', [withdrawal])
      await client.call('evm_mine')
      const [head] = await client.told(id, 1)
      const block = await client.call('eth_getBlockByNumber', ['latest'])
      const { transactions, uncles, size, withdrawals, ...header } = block
      expect([transactions, uncles, withdrawals, size]).toEqual([[], [], [withdrawal], expect.any(String)])
      expect(head).toEqual(header)
    }))

  test.each([[[]], [[{}]], [[null]]])('are subscribed to with the extra params %j', (rest) =>
    withSockets({}, async (server) => {
      const client = await connectSocket(server)
      expect(await client.call('eth_subscribe', ['newHeads', ...rest])).toMatch(/^0x[0-9a-f]{32}$/)
    }),
  )
})

describe('logs', () => {
  test('are the matching logs, and are sent again as removed after a revert', () =>
    withSockets({}, async (server) => {
      const client = await connectSocket(server)
      const { address, log } = await deployLogger(client)
      const snapshot = await client.call('evm_snapshot')
      const id = await client.call('eth_subscribe', ['logs', { address, topics: [words([7n])] }])
      await log(7n)
      await log(8n)
      await log(7n)
      const found = await client.call('eth_getLogs', [{ fromBlock: '0x2', topics: [words([7n])] }])
      expect(await client.told(id, 2)).toEqual(found)
      await client.call('evm_revert', [snapshot])
      const removed = found.toReversed().map((one: object) => ({ ...one, removed: true }))
      expect(await client.told(id, 4)).toEqual([...found, ...removed])
    }))

  test('are subscribed to without a filter, and with bounds, which are ignored', () =>
    withSockets({}, async (server) => {
      const client = await connectSocket(server)
      const { log } = await deployLogger(client)
      const ids = [
        await client.call('eth_subscribe', ['logs']),
        await client.call('eth_subscribe', ['logs', { fromBlock: '0x0', toBlock: '0x1', topics: [] }]),
      ]
      await log(1n)
      for (const id of ids) expect(await client.told(id, 1)).toMatchObject([{ topics: [words([1n]), {}] }])
    }))
})

test('newPendingTransactions are hashes, or full transactions on request', () =>
  withSockets({}, async (server) => {
    const client = await connectSocket(server)
    const [from, to] = await client.call('eth_accounts')
    const ids: string[] = []
    for (const params of [[], [false], [true]]) {
      ids.push(await client.call('eth_subscribe', ['newPendingTransactions', ...params]))
    }
    const hash = await client.call('eth_sendTransaction', [{ from, to }])
    for (const id of ids.slice(0, 2)) expect(await client.told(id, 1)).toEqual([hash])
    const [whole] = await client.told(ids[2]!, 1)
    expect(transactionObject.parse(whole)).toMatchObject({ hash, from, to, blockHash: null })
  }))

test('syncing is false', () =>
  withSockets({}, async (server) => {
    const client = await connectSocket(server)
    expect(await client.told(await client.call('eth_subscribe', ['syncing']), 1)).toEqual([false])
  }))

test('chainReverted has the head and the removed blocks, after a revert and after a reset', () =>
  withSockets({}, async (server) => {
    const client = await connectSocket(server)
    const id = await client.call('eth_subscribe', ['chainReverted'])
    const hashes: string[] = []
    const mine = async () => {
      await client.call('evm_mine')
      hashes.push((await client.call('eth_getBlockByNumber', ['latest'])).hash)
    }
    await mine()
    const snapshot = await client.call('evm_snapshot')
    await mine()
    await mine()
    await client.call('evm_revert', [snapshot])
    await client.call('evm_reset')
    const genesis = await client.call('eth_getBlockByNumber', ['0x0'])
    expect(await client.told(id, 2)).toEqual([
      { head: { number: '0x1', hash: hashes[0] }, removed: [hashes[2], hashes[1]] },
      { head: { number: '0x0', hash: genesis.hash }, removed: [hashes[0]] },
    ])
  }))

test('eth_unsubscribe ends a subscription of its own connection, once', () =>
  withSockets({}, async (server) => {
    const [client, other] = [await connectSocket(server), await connectSocket(server)]
    const id = await client.call('eth_subscribe', ['newHeads'])
    expect(await other.call('eth_unsubscribe', [id])).toBe(false)
    expect(await client.call('eth_unsubscribe', [id.toUpperCase().replace('0X', '0x')])).toBe(true)
    expect(await client.call('eth_unsubscribe', [id])).toBe(false)
    expect(await client.call('eth_unsubscribe', ['nothing like an id'])).toBe(false)
    await client.call('evm_mine')
    expect(client.heard.some(({ method }) => method === 'eth_subscription')).toBe(false)
  }))
