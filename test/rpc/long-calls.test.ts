/**
 * Executions that last: other requests are answered meanwhile. A limit ends those that are simulated; those of mined transactions
 * end with their gas.
 */

import { describe, expect, test } from '@jest/globals'
import { toHex } from '../../lib/base/hex.ts'
import type { RunningServer } from '../../lib/server/start.ts'
import { assembler } from '../support/assembler.ts'
import { rulesOf } from '../support/machine-runs.ts'
import { ask, rpc, withServer } from '../support/server.ts'

/** Code that runs for ever: a jump back, and a contract that calls itself twice without a jump. */
const LOOP = '0x5b600056'
const CALLS_ITSELF_TWICE = `0x${'60006000600060006000305af150'.repeat(2)}`

const MUCH_GAS = 2n ** 50n
const OPTIONS = {
  network: 'ethereum',
  hardfork: 'prague',
  callGasLimit: MUCH_GAS,
  blockGasLimit: MUCH_GAS,
} as const
const TIMEOUT = { code: -32000, message: 'execution aborted (timeout = 1.5s)' }
const RECEIVER = '0x7986b3df570230288501eea3d890bd66948c9b79'

const answered = async (server: RunningServer, method: string, params: readonly unknown[]) =>
  JSON.parse((await ask(server, { body: rpc(method, params) })).text) as { result?: unknown; error?: unknown }

const code = (to: string) => ({ [RECEIVER]: { code: to } })
const call = { to: RECEIVER }

const looping = { calls: [call], stateOverrides: code(LOOP) }

const LONG: readonly (readonly [what: string, method: string, params: readonly unknown[]])[] = [
  ['a loop in eth_call', 'eth_call', [call, 'latest', code(LOOP)]],
  ['calls without a jump', 'eth_call', [call, 'latest', code(CALLS_ITSELF_TWICE)]],
  ['eth_estimateGas', 'eth_estimateGas', [call, 'latest', code(LOOP)]],
  ['eth_createAccessList', 'eth_createAccessList', [call, 'latest', code(LOOP)]],
  ['eth_simulateV1', 'eth_simulateV1', [{ blockStateCalls: [looping] }]],
  [
    'debug_traceCall',
    'debug_traceCall',
    [call, 'latest', { tracer: 'noopTracer', stateOverrides: code(LOOP) }],
  ],
]

/** Asks short questions until the long one is answered. Returns its answer, and the milliseconds of the short ones. */
async function answerAndWaits(
  server: RunningServer,
  method: string,
  params: readonly unknown[],
): Promise<{ readonly answer: { result?: unknown; error?: unknown }; readonly waits: readonly number[] }> {
  const progress = { isOver: false }
  const long = answered(server, method, params).finally(() => (progress.isOver = true))
  const waits: number[] = []
  while (!progress.isOver) {
    const startedAt = performance.now()
    expect(await answered(server, 'eth_blockNumber', [])).toMatchObject({ result: expect.any(String) })
    waits.push(performance.now() - startedAt)
  }
  return { answer: await long, waits: waits.toSorted((one, other) => one - other) }
}

describe('an execution that lasts', () => {
  test.each(LONG)('%s lets others in and ends with an error', async (_what, method, params) => {
    await withServer({ ...OPTIONS, callTimeout: 1500 }, async (server) => {
      const { answer, waits } = await answerAndWaits(server, method, params)
      expect(answer).toMatchObject({ error: TIMEOUT })
      expect(waits.length).toBeGreaterThan(1)
    })
  })

  test.each(['eth_sendTransaction', 'eth_fillTransaction'])(
    '%s ends when the estimate for an init code without gas takes too long',
    (method) =>
      withServer({ ...OPTIONS, callTimeout: 300 }, async (server) => {
        const { result: accounts } = await answered(server, 'eth_accounts', [])
        const [from] = accounts as readonly string[]
        expect(await answered(server, method, [{ from, data: LOOP }])).toMatchObject({
          error: { code: -32000, message: 'execution aborted (timeout = 300ms)' },
        })
        expect(await answered(server, 'eth_blockNumber', [])).toMatchObject({ result: '0x0' })
      }),
  )

  test.each([
    ['anvil_dealERC20', [RECEIVER, RECEIVER, '0x1']],
    ['anvil_setERC20Allowance', [RECEIVER, RECEIVER, RECEIVER, '0x1']],
  ])('%s of a token that never returns lets reads in and ends with an error', async (method, params) => {
    await withServer({ ...OPTIONS, callTimeout: 1500 }, async (server) => {
      await answered(server, 'hardhat_setCode', [RECEIVER, LOOP])
      let isOver = false
      const long = answered(server, method, params).finally(() => (isOver = true))
      expect(await answered(server, 'eth_blockNumber', [])).toMatchObject({ result: expect.any(String) })
      expect(isOver).toBe(false)
      expect(await long).toMatchObject({ error: TIMEOUT })
    })
  })

  test('does not keep transactions waiting, and sees nothing of them', async () => {
    // Answers the balance of the contract after a loop.
    const source = '20000000 JUMPDEST 1 SWAP1 SUB DUP1 5 JUMPI SELFBALANCE 0 MSTORE 32 0 RETURN'
    const late = toHex(assembler(rulesOf('prague'))(source))
    await withServer({ ...OPTIONS, callTimeout: 0 }, async (server) => {
      const { result: accounts } = await answered(server, 'eth_accounts', [])
      const [from] = accounts as readonly string[]
      let isOver = false
      const long = answered(server, 'eth_call', [call, 'latest', code(late)]).finally(() => (isOver = true))
      const sent = await answered(server, 'eth_sendTransaction', [{ from, to: RECEIVER, value: '0x1' }])
      expect(sent).toMatchObject({ result: expect.stringMatching(/^0x[0-9a-f]{64}$/) })
      expect(await answered(server, 'eth_getBalance', [RECEIVER, 'latest'])).toMatchObject({ result: '0x1' })
      expect(isOver).toBe(false)
      expect(await long).toMatchObject({ result: `0x${'00'.repeat(32)}` })
    })
  })
})

/** Methods that run a mined transaction again; the params follow its hash, or that of its block. */
const REPLAYS: readonly (readonly [method: string, of: 'transaction' | 'block', ...params: unknown[]])[] = [
  ['debug_traceTransaction', 'transaction', { limit: 10 }],
  ['debug_traceTransaction', 'transaction', { tracer: 'callTracer' }],
  ['debug_traceTransaction', 'transaction', { tracer: 'prestateTracer' }],
  ['debug_traceTransaction', 'transaction', { tracer: '4byteTracer' }],
  ['debug_traceBlockByHash', 'block', { tracer: 'callTracer' }],
  ['trace_transaction', 'transaction'],
  ['trace_block', 'block'],
  ['debug_storageRangeAt', 'block', 1, RECEIVER, '0x', 10],
  ['ots_getInternalOperations', 'transaction'],
  ['ots_traceTransaction', 'transaction'],
  ['dev_explainTransaction', 'transaction'],
  ['dev_profile', 'transaction'],
  ['dev_traceSteps', 'transaction', 1_000_000, 10],
  ['dev_transactionSources', 'transaction'],
]

test('a mined transaction that lasted lets others in while it runs again', async () => {
  await withServer({ ...OPTIONS, noArtifacts: true }, async (server) => {
    const { result: accounts } = await answered(server, 'eth_accounts', [])
    const [from] = accounts as readonly string[]
    await answered(server, 'hardhat_setCode', [RECEIVER, LOOP])
    await answered(server, 'eth_sendTransaction', [{ from, to: RECEIVER, gas: '0x4c4b40' }])
    const { result } = await answered(server, 'eth_getBlockByNumber', ['latest', false])
    const block = result as { readonly hash: string; readonly transactions: readonly string[] }
    const hashes = { transaction: block.transactions[0], block: block.hash }
    for (const [method, of, ...params] of REPLAYS) {
      const { answer, waits } = await answerAndWaits(server, method, [hashes[of], ...params])
      // With the method, so that a failure names it.
      expect({ method, ...answer }).toEqual({ method, jsonrpc: '2.0', id: 1, result: expect.anything() })
      expect({ method, waits: waits.length > 1 }).toEqual({ method, waits: true })
    }
  })
})
