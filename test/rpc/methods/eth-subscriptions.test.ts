/** Subscriptions and notifications over real sockets. */

import { describe, expect, test } from '@jest/globals'
import { toHex } from '../../../lib/base/hex.ts'
import { transactionObject } from '../../../lib/schema/results.ts'
import { CONTRACTS, creationCode, words } from '../../support/bytecode.ts'
import { connectSocket, withSockets } from '../../support/socket.ts'
import type { SocketClient } from '../../support/socket.ts'

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
