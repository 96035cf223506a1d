/** Traces of the module debug of the reference node (node-chain 2.5 and 2.6). */

import { expect, test } from '@jest/globals'
import { CONTRACTS, creationCode, words } from '../../support/bytecode.ts'
import { toHex } from '../../../lib/base/hex.ts'
import { faithfulNode } from '../../support/faithful.ts'

async function stored() {
  const { deploy, send, ...rest } = await faithfulNode()
  const to = await deploy(toHex(creationCode(CONTRACTS.load)))
  return {
    ...rest,
    to,
    hash: await send({ to, data: words([1n]) }),
    transfer: await send({ to: rest.other, value: '0x5' }),
  }
}

test('a transaction is traced with the tracer of the reference, with depths from 0', async () => {
  const { ask, hash, to } = await stored()
  const trace = await ask('debug_traceTransaction', hash)
  expect(Object.keys(trace)).toEqual([
    'contractAddress',
    'initStorage',
    'structLogs',
    'result',
    'error',
    'reverted',
    'storageSize',
    'currentStorage',
  ])
  expect(trace.contractAddress).toBe(to.slice(2))
  expect(trace.structLogs[0]).toMatchObject({ op: 'PUSH1', depth: 0, pc: 0 })
})

test('a transfer has no instructions but the transfer', async () => {
  const { ask, transfer, owner } = await stored()
  expect(await ask('debug_traceTransaction', transfer)).toMatchObject({
    programInvoke: null,
    transferInvoke: {
      callerAddress: owner.slice(2).padStart(64, '0'),
      callValue: '5'.padStart(64, '0'),
      msgData: null,
    },
  })
})

test('the call tracer shows no output of the outermost frame', async () => {
  const { ask, hash } = await stored()
  const frame = { type: 'CALL', output: '0x0' }
  expect(await ask('debug_traceTransaction', hash, { tracer: 'callTracer' })).toMatchObject(frame)
  const { blockHash } = await ask('eth_getTransactionReceipt', hash)
  const [first] = await ask('debug_traceBlockByHash', blockHash, { tracer: 'callTracer' })
  expect(first).toEqual({ txHash: hash, result: expect.objectContaining(frame) })
})

test.each([
  [
    'another tracer',
    async ({ ask, hash }: Awaited<ReturnType<typeof stored>>) =>
      ask('debug_traceTransaction', hash, { tracer: 'prestateTracer' }),
  ],
  [
    'the genesis',
    async ({ ask }: Awaited<ReturnType<typeof stored>>) => ask('debug_traceBlockByNumber', 'earliest'),
  ],
])('%s is an internal error', async (_, answer) => {
  expect(await answer(await stored())).toEqual({ code: -32603, message: 'Internal server error' })
})
