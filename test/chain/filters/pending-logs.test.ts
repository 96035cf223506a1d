/** Logs of the pending block, as queries and filters with the tag `pending` return them. */

import { describe, expect, test } from '@jest/globals'
import { toHex } from '../../../lib/base/hex.ts'
import type { Node } from '../../../lib/node/node.ts'
import { CONTRACTS, creationCode, words } from '../../support/bytecode.ts'
import { call, freshNode } from '../../support/node.ts'

const ZERO_HASH = `0x${'00'.repeat(32)}`

/** A node that mines on demand, with a contract that logs the first word of its call data as a topic. */
async function manualNode() {
  const node = await freshNode()
  const from = node.funded[0]!.address
  const send = (fields: object) => call(node, 'eth_sendTransaction', [{ from, gas: '0x30000', ...fields }])
  const hash = await send({ data: toHex(creationCode(CONTRACTS.environment)) })
  const { contractAddress: address } = await call(node, 'eth_getTransactionReceipt', [hash])
  await call(node, 'evm_setAutomine', [false])
  const log = (topic: bigint): Promise<string> => send({ to: address, data: words([topic]) })
  return { node, address, log, mine: () => call(node, 'evm_mine') }
}

/** A node with log 1 in block 2, the newest, and logs 2 and 3 in the pending one, number 3. */
async function afterLogs() {
  const made = await manualNode()
  await made.log(1n)
  await made.mine()
  const waiting = [await made.log(2n), await made.log(3n)]
  return { ...made, waiting }
}

/** Topics of logs, `?` behind those of the pending block. */
const told = (logs: readonly { topics: string[]; blockNumber: string | null; removed: boolean }[]) =>
  logs.map(({ topics, blockNumber, removed }) => {
    const topic = BigInt(topics[0]!)
    return `${removed ? '-' : ''}${topic}${blockNumber === null ? '?' : ''}`
  })

const getLogs = async (node: Node, filter: object) => told(await call(node, 'eth_getLogs', [filter]))
const poll = async (node: Node, id: string) => told(await call(node, 'eth_getFilterChanges', [id]))
const allOf = async (node: Node, id: string) => told(await call(node, 'eth_getFilterLogs', [id]))

describe('eth_getLogs', () => {
  test.each([
    ['of the pending block', { fromBlock: 'pending', toBlock: 'pending' }, ['2?', '3?']],
    ['from the pending block on', { fromBlock: 'pending' }, ['2?', '3?']],
    ['up to the pending block', { fromBlock: 'earliest', toBlock: 'pending' }, ['1', '2?', '3?']],
    ['of the newest and the pending block', { fromBlock: 'latest', toBlock: 'pending' }, ['1', '2?', '3?']],
    ['from the newest block on, if only the end is named', { toBlock: 'pending' }, ['1', '2?', '3?']],
    ['from the number of the pending block', { fromBlock: '0x3', toBlock: 'pending' }, ['2?', '3?']],
    ['from beyond the pending block', { fromBlock: '0x4', toBlock: 'pending' }, []],
    ['that end before they begin', { fromBlock: 'pending', toBlock: 'latest' }, []],
    ['of the chain alone', { fromBlock: 'earliest' }, ['1']],
    ['of a topic', { fromBlock: 'pending', topics: [words([3n])] }, ['3?']],
    ['of another address', { fromBlock: 'pending', address: `0x${'11'.repeat(20)}` }, []],
  ])('returns logs %s', async (_case, filter, expected) => {
    const { node } = await afterLogs()
    expect(await getLogs(node, filter)).toEqual(expected)
  })

  test('returns pending logs without block number, hash and index', async () => {
    const { node, address } = await afterLogs()
    const [log] = await call(node, 'eth_getLogs', [{ fromBlock: 'pending' }])
    expect(log).toEqual({
      logIndex: null,
      blockNumber: null,
      blockHash: null,
      blockTimestamp: null,
      transactionHash: null,
      transactionIndex: null,
      address,
      removed: false,
      topics: expect.any(Array),
      data: expect.any(String),
    })
  })

  test.each(['hardhat', 'ethereum'] as const)(
    'returns pending logs in dialect %s with the expected block number and a zero hash',
    async (dialect) => {
      const { node, waiting } = await afterLogs()
      const logs = await call(node, 'eth_getLogs', [{ fromBlock: 'pending' }], dialect)
      expect(logs).toMatchObject(
        waiting.map((transactionHash, index) => ({
          transactionHash,
          blockHash: ZERO_HASH,
          blockNumber: '0x3',
          logIndex: `0x${index}`,
          transactionIndex: `0x${index}`,
        })),
      )
    },
  )

  test('follows the pool when transactions are dropped or mined', async () => {
    const { node, waiting, mine } = await afterLogs()
    await call(node, 'hardhat_dropTransaction', [waiting[1]])
    expect(await getLogs(node, { fromBlock: 'pending' })).toEqual(['2?'])
    await mine()
    expect(await getLogs(node, { fromBlock: 'pending' })).toEqual([])
    expect(await getLogs(node, {})).toEqual(['2'])
  })
})

describe('a filter', () => {
  const install = (node: Node, filter: object): Promise<string> => call(node, 'eth_newFilter', [filter])

  test('of the pending block returns each pending log once, and no mined log', async () => {
    const { node, log, mine } = await afterLogs()
    const id = await install(node, { fromBlock: 'pending', toBlock: 'pending' })
    expect(await poll(node, id)).toEqual(['2?', '3?'])
    await log(4n)
    expect(await poll(node, id)).toEqual(['4?'])
    await mine()
    expect(await poll(node, id)).toEqual([])
    expect(await allOf(node, id)).toEqual([])
  })

  test('up to the pending block returns a log when it is pending and when it is mined', async () => {
    const { node, log, mine } = await afterLogs()
    const id = await install(node, { toBlock: 'pending' })
    expect(await poll(node, id)).toEqual(['2?', '3?'])
    await mine()
    await log(4n)
    expect(await poll(node, id)).toEqual(['2', '3', '4?'])
    expect(await allOf(node, id)).toEqual(['1', '2', '3', '4?'])
  })

  test('without the tag returns no pending log', async () => {
    const { node } = await afterLogs()
    const id = await install(node, { fromBlock: 'latest', toBlock: 'latest' })
    expect(await poll(node, id)).toEqual([])
    expect(await allOf(node, id)).toEqual(['1'])
  })

  test('returns removed logs and newly pending logs after a revert', async () => {
    const { node, mine } = await afterLogs()
    const id = await install(node, { toBlock: 'pending' })
    const snapshot = await call(node, 'evm_snapshot')
    await mine()
    expect(await poll(node, id)).toEqual(['2', '3'])
    await call(node, 'evm_revert', [snapshot])
    expect(await poll(node, id)).toEqual(['-3', '-2', '2?', '3?'])
    expect(await poll(node, id)).toEqual([])
  })
})
