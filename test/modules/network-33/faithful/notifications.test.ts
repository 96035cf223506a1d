/** Subscriptions of a node with --faithful (node-rpc 9). No session over a WebSocket was recorded. */

import { expect, test } from '@jest/globals'
import { connectSocket, withSockets, type SocketClient } from '../../../support/socket.ts'

/** Emits a log without data and topics, and one with a byte and a topic. */
const TWO_LOGS = '0x60006000a060aa60016000a100'

/** Mines a block with two transactions that emit the logs, and returns what both subscriptions tell. */
async function notified({ call, told }: SocketClient) {
  const [from] = await call('eth_accounts')
  const heads = await call('eth_subscribe', ['newHeads'])
  const logs = await call('eth_subscribe', ['logs', {}])
  for (const nonce of ['0x0', '0x1'])
    await call('eth_sendTransaction', [{ from, nonce, gas: '0x100000', data: TWO_LOGS }])
  await call('evm_mine')
  return { head: (await told(heads, 1))[0], logs: await told(logs, 4) }
}

test('a new block has the members of the reference, in its order', () =>
  withSockets({ faithful: true, gasQuota: false, mining: 'manual' }, async (server) => {
    const client = await connectSocket(server)
    const { head } = await notified(client)
    const block = await client.call('eth_getBlockByNumber', ['0x1', false])
    const names =
      'difficulty extraData gasLimit gasUsed logsBloom miner number parentHash receiptsRoot ' +
      'sha3Uncles stateRoot timestamp transactionsRoot hash baseEvent'
    expect(Object.keys(head).join(' ')).toBe(names)
    const { baseEvent, ...shared } = head
    expect(baseEvent).toBe('0x00')
    expect(block).toMatchObject(shared)
  }))

test('logs have an index within their transaction, and empty data has a byte', () =>
  withSockets({ faithful: true, gasQuota: false, mining: 'manual' }, async (server) => {
    const { logs } = await notified(await connectSocket(server))
    expect(Object.keys(logs[0]).join(' ')).toBe(
      'logIndex blockNumber blockHash transactionHash transactionIndex address data topics removed',
    )
    expect(logs.map(({ logIndex, transactionIndex, data }) => [transactionIndex, logIndex, data])).toEqual([
      ['0x0', '0x0', '0x00'],
      ['0x0', '0x1', '0x00'],
      ['0x1', '0x0', '0x00'],
      ['0x1', '0x1', '0x00'],
    ])
    expect(logs[1]).toMatchObject({ removed: false, topics: [`0x${'aa'.padStart(64, '0')}`] })
  }))

test('a helpful connection to the same node has the form of this node', () =>
  withSockets({ faithful: true, gasQuota: false, mining: 'manual' }, async (server) => {
    const { logs, head } = await notified(await connectSocket(server, { path: '/?faithful=false' }))
    expect(logs[0]).toMatchObject({ data: '0x', logIndex: '0x0', blockTimestamp: head.timestamp })
    expect(logs[2]).toMatchObject({ logIndex: '0x2' })
  }))

test.each([
  [[]],
  [['nothing']],
  [['chainReverted']],
  [['newPendingTransactions', true]],
  [['logs', { address: 'x' }]],
])('eth_subscribe %j is no method', (params) =>
  withSockets({ faithful: true }, async (server) => {
    const client = await connectSocket(server)
    await expect(client.call('eth_subscribe', params)).rejects.toMatchObject({
      code: -32601,
      message: 'method not found',
    })
  }),
)
