/** What unknown blocks and transactions give: what the reference node answers in its dialect, the errors of the peers in theirs. */

import { describe, expect, test } from '@jest/globals'
import type { Dialect } from '../../lib/config/dialect.ts'
import { dispatcherOf, freshNode } from '../support/node.ts'

const HASH = `0x${'ab'.repeat(32)}`

async function answerTo(method: string, params: readonly unknown[], dialect: Dialect) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const { result, error } = JSON.parse((await dispatcherOf(await freshNode()).answer(body, dialect)) ?? '')
  return error === undefined ? result : [error.code, error.message]
}

describe.each<[string, readonly unknown[], Record<Dialect, unknown>]>([
  [
    'eth_getLogs',
    [{ blockHash: HASH }],
    { node33: [], hardhat: [-32602, 'blockHash cannot be found'], ethereum: [-32000, 'unknown block'] },
  ],
  [
    'eth_getLogs',
    [{ fromBlock: '0x0', toBlock: '0x1' }],
    { node33: [], hardhat: [], ethereum: [-32602, 'block range extends beyond current head block'] },
  ],
  [
    'eth_getLogs',
    [{ fromBlock: '0x1' }],
    { node33: [], hardhat: [], ethereum: [-32602, 'invalid block range params'] },
  ],
  [
    'debug_traceTransaction',
    [HASH],
    {
      node33: null,
      hardhat: [-32000, `Unable to find a block containing transaction ${HASH}`],
      ethereum: [-32000, 'transaction not found'],
    },
  ],
  [
    'debug_traceBlockByHash',
    [HASH],
    {
      node33: null,
      hardhat: [-32000, `block ${HASH} not found`],
      ethereum: [-32000, `block ${HASH} not found`],
    },
  ],
  [
    'debug_traceBlockByNumber',
    ['0x99'],
    {
      node33: null,
      hardhat: [-32000, 'block #153 not found'],
      ethereum: [-32000, 'block #153 not found'],
    },
  ],
  [
    'trace_filter',
    [{ fromBlock: '0x99' }],
    {
      node33: [],
      hardhat: [-32602, 'fromBlock cannot be greater than toBlock'],
      ethereum: [-32602, 'fromBlock cannot be greater than toBlock'],
    },
  ],
])('%s %j', (method, params, expected) => {
  test.each(['node33', 'hardhat', 'ethereum'] as const)('in dialect %s', async (dialect) => {
    expect(await answerTo(method, params, dialect)).toEqual(expected[dialect])
  })
})
