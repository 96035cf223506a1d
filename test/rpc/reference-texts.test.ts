/** Texts of errors in the dialect node33: those that the reference node answered, and the node's own in its log. */

import { expect, test } from '@jest/globals'
import type { RequestLogEntry } from '../../lib/config/request-log.ts'
import type { Node } from '../../lib/node/node.ts'
import { call, dispatcherOf, freshNode } from '../support/node.ts'
import { COW, COW1, signed } from '../support/signing.ts'
import { rpc } from '../support/server.ts'

const UNKNOWN = `0x${'99'.repeat(20)}`
const SEND = { from: COW, to: COW1, gas: '0x5208' }
const BIG = { from: COW, to: COW1, gas: '0x1000000' }

const errorOf = async (node: Node, method: string, params: readonly unknown[]) =>
  JSON.parse((await dispatcherOf(node).answer(rpc(method, params), 'node33'))!).error

test.each<readonly [string, readonly unknown[], number, string]>([
  ['eth_sendTransaction', [{ ...SEND, chainId: '0x1' }], -32602, 'Invalid chainId: 0x1'],
  ['eth_sendRawTransaction', [signed({ chainId: 1n })], -32602, 'Invalid chainId: 1'],
  [
    'eth_sendTransaction',
    [{ ...SEND, from: UNKNOWN }],
    -32602,
    `Could not find account for address: ${UNKNOWN}`,
  ],
  ['eth_sendTransaction', [{ ...SEND, from: COW1 }], -32602, `Could not find account for address: ${COW1}`],
  ['eth_sign', [UNKNOWN, '0x11'], -32602, 'Account not found'],
  ['eth_sign', [COW1, '0x11'], -32602, 'Account not found'],
  [
    'eth_sendTransaction',
    [BIG],
    -32010,
    "transaction's gas limit of 16777216 is higher than the block's gas limit of 6800000",
  ],
  ['eth_getFilterChanges', ['0x999'], -32000, 'filter not found'],
])('%s %j', async (method, params, code, message) => {
  const node = await freshNode()
  await call(node, 'personal_lockAccount', [COW1])
  expect(await errorOf(node, method, params)).toEqual({ code, message })
})

test('the log has the figures and the remedy', async () => {
  const entries: RequestLogEntry[] = []
  const node = await freshNode()
  const dispatcher = dispatcherOf(node, { onRequest: (entry) => void entries.push(entry) })
  await dispatcher.answer(rpc('eth_sendTransaction', [BIG]), 'node33')
  await dispatcher.answer(rpc('eth_sendTransaction', [BIG]), 'ethereum')
  expect(entries.map(({ reason }) => reason)).toEqual([
    expect.stringMatching(
      /limit 6800000: of its 10000000, 3200000 are reserved for lists that run in parallel$/,
    ),
    undefined,
  ])
})
