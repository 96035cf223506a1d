/** Filters of the reference node (node-rpc 7.1 and 8). */

import { describe, expect, test } from '@jest/globals'
import { CONTRACTS, creationCode, words } from '../../support/bytecode.ts'
import { toHex } from '../../../lib/base/hex.ts'
import { faithfulNode } from '../../support/faithful.ts'

/** A node with a contract that logs its argument, and `changes` and `logs` of a filter. */
async function logging() {
  const { ask, deploy, send, ...rest } = await faithfulNode()
  const address = await deploy(toHex(creationCode(CONTRACTS.environment)))
  const log = (topic: bigint) => send({ to: address, data: words([topic]) })
  const topics = (found: { topics: string[] }[]) => found.map(({ topics: [first] }) => BigInt(first!))
  const changes = async (id: string) => topics(await ask('eth_getFilterChanges', id))
  const logs = async (id: string) => topics(await ask('eth_getFilterLogs', id))
  const head = async () => Number(await ask('eth_blockNumber'))
  return { ...rest, ask, address, log, changes, logs, head }
}

test('a poll mines a block, also of an unknown filter', async () => {
  const { ask, head } = await logging()
  const id = await ask('eth_newBlockFilter')
  const before = await head()
  expect(await ask('eth_getFilterChanges', id)).toHaveLength(1)
  expect(await ask('eth_getFilterChanges', '0x12')).toEqual({ code: -32000, message: 'filter not found' })
  expect(await head()).toBe(before + 2)
})

describe('a filter of logs', () => {
  test('without a first block knows the newest block only, which is that of the poll', async () => {
    const { ask, address, log, changes, logs } = await logging()
    const id = await ask('eth_newFilter', { address })
    await log(1n)
    expect(await logs(id)).toEqual([1n])
    expect(await changes(id)).toEqual([])
  })

  test('with a first block returns each log once, and lists all', async () => {
    const { ask, address, log, changes, logs } = await logging()
    await log(1n)
    const id = await ask('eth_newFilter', { address, fromBlock: 'earliest' })
    await log(2n)
    expect(await changes(id)).toEqual([1n, 2n])
    await log(3n)
    expect(await changes(id)).toEqual([3n])
    expect(await changes(id)).toEqual([])
    expect(await logs(id)).toEqual([1n, 2n, 3n])
  })

  test('has logs without the members that the reference lacks', async () => {
    const { ask, address, log } = await logging()
    await log(1n)
    const [found] = await ask('eth_getLogs', { address })
    expect(Object.keys(found).sort()).toEqual([
      'address',
      'blockHash',
      'blockNumber',
      'data',
      'logIndex',
      'topics',
      'transactionHash',
      'transactionIndex',
    ])
  })
})

test('a filter of transactions lists what it has collected, after polls too', async () => {
  const { ask, log } = await logging()
  const id = await ask('eth_newPendingTransactionFilter')
  const hash = await log(1n)
  expect(await ask('eth_getFilterChanges', id)).toEqual([hash])
  expect(await ask('eth_getFilterChanges', id)).toEqual([])
  expect(await ask('eth_getFilterLogs', id)).toEqual([hash])
})

test('an id is the text of a UUID as hex, and can be removed once', async () => {
  const { ask } = await logging()
  const id: string = await ask('eth_newBlockFilter')
  expect(Buffer.from(id.slice(2), 'hex').toString()).toMatch(
    /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[\da-f]{4}-[\da-f]{12}$/,
  )
  expect(await ask('eth_uninstallFilter', id)).toBe(true)
  expect(await ask('eth_uninstallFilter', id)).toBe(false)
})

test('a range of logs has at most 5,001 blocks', async () => {
  const { ask, node } = await logging()
  await node.miner.mineMany(5001n)
  expect(
    await ask('eth_getLogs', { fromBlock: '0x1', toBlock: '0x1389', topics: [`0x${'00'.repeat(32)}`] }),
  ).toEqual([])
  expect(await ask('eth_getLogs', { fromBlock: '0x0', toBlock: '0x1389' })).toEqual({
    code: -32012,
    message: 'Cannot query more than 5000 blocks at once',
  })
})
