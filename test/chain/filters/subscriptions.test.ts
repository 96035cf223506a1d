/** Events that subscribers receive, and their order, without sockets. Rendering: rpc/methods/eth-filters.test.ts. */

import { runAtOnce } from '../../../lib/base/routine.ts'
import { describe, expect, test } from '@jest/globals'
import { toHex } from '../../../lib/base/hex.ts'
import type { ChainEvent, SubscriptionFilter } from '../../../lib/chain/filters/subscriptions.ts'
import { CONTRACTS, creationCode, words } from '../../support/bytecode.ts'
import { call, freshNode } from '../../support/node.ts'
import type { Node } from '../../../lib/node/node.ts'

/** A subscriber, and its events as texts. */
function subscriberOf(node: Node) {
  const heard: string[] = []
  const names = new Map<string, string>()
  const subscriber = node.subscriptions.connect((id, event) =>
    heard.push(`${names.get(id) ?? 'unreleased'}${inWords(event)}`),
  )
  /** Subscribes; the texts of the events begin with the name. */
  const hear = (wanted: SubscriptionFilter, name = '') => {
    const id = subscriber.subscribe(wanted)
    names.set(id, name)
    return id
  }
  return { subscriber, heard, hear }
}

function inWords(event: ChainEvent): string {
  switch (event.kind) {
    case 'heads':
      return `block ${event.block.header.number}`
    case 'logs':
      return `${event.log.removed ? '-' : '+'}${BigInt(event.log.log.topics[0]!)}`
    case 'hashes':
    case 'transactions':
      return `${event.kind} ${event.transaction.nonce}`
    case 'syncing':
      return 'not syncing'
    case 'reverts':
      return `back to ${event.head.header.number}, without ${event.removed.map(({ header }) => header.number).join()}`
  }
}

const ALL_LOGS: SubscriptionFilter = { kind: 'logs', filter: { addresses: [], topics: [] } }

/** A node with a contract that logs the first word of its call data as a topic, in its first block. */
async function loggingNode() {
  const node = await freshNode()
  const from = node.funded[0]!.address
  const send = (fields: object) => call(node, 'eth_sendTransaction', [{ from, gas: '0x100000', ...fields }])
  const hash = await send({ data: toHex(creationCode(CONTRACTS.environment)) })
  const { contractAddress: to } = await call(node, 'eth_getTransactionReceipt', [hash])
  const log = (topic: bigint) => send({ to, data: words([topic]) })
  return { node, log, to }
}

describe('a subscriber', () => {
  test('receives blocks, their logs and transactions in order', async () => {
    const { node, log } = await loggingNode()
    const { subscriber, heard, hear } = subscriberOf(node)
    for (const kind of ['hashes', 'transactions', 'heads'] as const) hear({ kind })
    hear(ALL_LOGS)
    subscriber.release()
    await log(7n)
    await log(8n)
    expect(heard).toEqual([
      'hashes 1',
      'transactions 1',
      'block 2',
      '+7',
      'hashes 2',
      'transactions 2',
      'block 3',
      '+8',
    ])
  })

  test('receives reverts without removed blocks, and to genesis', async () => {
    const node = await freshNode()
    const { subscriber, heard, hear } = subscriberOf(node)
    hear({ kind: 'reverts' })
    subscriber.release()
    node.snapshots.revert(node.snapshots.take())
    await node.miner.mineMany(2n)
    node.snapshots.reset()
    node.snapshots.reset()
    expect(node.snapshots.revert(99n)).toBe(false)
    expect(heard).toEqual(['back to 0, without ', 'back to 0, without 2,1', 'back to 0, without '])
  })

  test('receives held events at the release, except of subscriptions that ended before', async () => {
    const node = await freshNode()
    const { subscriber, heard, hear } = subscriberOf(node)
    hear({ kind: 'heads' })
    const ended = hear({ kind: 'heads' }, 'ended ')
    await node.miner.mineMany(2n)
    expect(subscriber.unsubscribe(ended)).toBe(true)
    expect(heard).toEqual([])
    subscriber.release()
    runAtOnce(node.miner.mine())
    expect(heard).toEqual(['block 1', 'block 2', 'block 3'])
  })

  test('receives nothing and cannot subscribe after it is closed', async () => {
    const node = await freshNode()
    const [one, other] = [subscriberOf(node), subscriberOf(node)]
    for (const { hear, subscriber } of [one, other]) {
      hear({ kind: 'heads' })
      subscriber.release()
    }
    one.subscriber.close()
    one.hear({ kind: 'heads' })
    one.subscriber.release()
    runAtOnce(node.miner.mine())
    expect([node.subscriptions.size, one.heard, other.heard]).toEqual([1, [], ['block 1']])
  })

  test('receives no more of an event during which it is closed', async () => {
    const node = await freshNode()
    const heard: string[] = []
    const subscriber = node.subscriptions.connect((id) => {
      heard.push(id)
      subscriber.close()
    })
    const [first] = [subscriber.subscribe({ kind: 'heads' }), subscriber.subscribe({ kind: 'heads' })]
    subscriber.release()
    runAtOnce(node.miner.mine())
    expect(heard).toEqual([first])
  })
})

test('subscriptions outlive a revert and a reset', async () => {
  const node = await freshNode()
  const snapshot = node.snapshots.take()
  const { subscriber, heard, hear } = subscriberOf(node)
  hear({ kind: 'heads' })
  subscriber.release()
  node.snapshots.revert(snapshot)
  node.snapshots.reset()
  runAtOnce(node.miner.mine())
  expect(heard).toEqual(['block 1'])
})

test('ids are sixteen bytes from the source of randomness, and differ', async () => {
  const node = await freshNode()
  const { hear } = subscriberOf(node)
  const ids = Array.from({ length: 100 }, () => hear({ kind: 'heads' }))
  for (const id of ids) expect(id).toMatch(/^0x[0-9a-f]{32}$/)
  expect(new Set(ids).size).toBe(100)
})
