/** What unknown blocks and transactions give: what the reference node answers in its dialect, the errors of the peers in theirs. */

import { expect, test } from '@jest/globals'
import type { Dialect } from '../../lib/config/dialect.ts'
import { dispatcherOf, freshNode } from '../support/node.ts'

const HASH = `0x${'ab'.repeat(32)}`

async function answerTo(method: string, params: readonly unknown[], dialect: Dialect) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const { result, error } = JSON.parse((await dispatcherOf(await freshNode()).answer(body, dialect)) ?? '')
  return error === undefined ? result : [error.code, error.message]
}

type Answer = readonly [] | null | readonly [code: number, message: string]

const BEYOND: Answer = [-32602, 'block range extends beyond current head block']
const BAD_RANGE: Answer = [-32602, 'invalid block range params']
const NO_RECEIPT: Answer = [-32000, `Unable to find a block containing transaction ${HASH}`]
const NO_HASH: Answer = [-32000, `block ${HASH} not found`]
const NO_NUMBER: Answer = [-32000, 'block #153 not found']
const GREATER: Answer = [-32602, 'fromBlock cannot be greater than toBlock']

/** The answers in the dialects of the reference node, of Hardhat and of geth. */
const rows: readonly (readonly [string, unknown, Answer, Answer, Answer])[] = [
  ['eth_getLogs', { blockHash: HASH }, [], [-32602, 'blockHash cannot be found'], [-32000, 'unknown block']],
  ['eth_getLogs', { fromBlock: '0x0', toBlock: '0x1' }, [], [], BEYOND],
  ['eth_getLogs', { fromBlock: '0x1' }, [], [], BAD_RANGE],
  ['debug_traceTransaction', HASH, null, NO_RECEIPT, [-32000, 'transaction not found']],
  ['debug_traceBlockByHash', HASH, null, NO_HASH, NO_HASH],
  ['debug_traceBlockByNumber', '0x99', null, NO_NUMBER, NO_NUMBER],
  ['trace_filter', { fromBlock: '0x99' }, [], GREATER, GREATER],
]

test.each(rows)('%s %j', async (method, param, node33, hardhat, ethereum) => {
  for (const [dialect, answer] of Object.entries({ node33, hardhat, ethereum }))
    expect([dialect, await answerTo(method, [param], dialect as Dialect)]).toEqual([dialect, answer])
})
