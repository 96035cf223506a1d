import { describe, expect, test } from '@jest/globals'
import { NodeError } from '../../../../lib/base/errors.ts'
import { call, freshNode, refusal } from '../../../support/node.ts'
import { panicData, reverting } from '../../../support/programs.ts'
import { COW, COW1 } from '../../../support/signing.ts'
import { HEIR, tracedNode } from '../../../support/tracing.ts'
import { toHex } from '../../../../lib/base/hex.ts'
import { assembleCode } from '../../../support/bytecode.ts'

const UNKNOWN = `0x${'00'.repeat(32)}`
const TRACERS = ['callTracer', 'flatCallTracer', 'prestateTracer', '4byteTracer', 'noopTracer', 'nodeTracer']
const PROBE = `0x${'cc'.repeat(20)}` as const
const MINER = `0x${'00'.repeat(18)}beef` as const
const RANDOM = `0x${'00'.repeat(30)}cafe` as const

test.each([undefined, ...TRACERS])('unknown transactions and blocks have no trace: %s', async (tracer) => {
  const node = await freshNode()
  expect(await call(node, 'debug_traceTransaction', [UNKNOWN, { tracer }])).toBeNull()
  expect(await call(node, 'debug_traceBlockByHash', [UNKNOWN, { tracer }])).toBeNull()
  expect(await call(node, 'debug_traceBlockByNumber', ['0x99', { tracer }])).toBeNull()
  expect(await call(node, 'debug_traceBlockByNumber', ['earliest', { tracer }])).toEqual([])
})

test('a block is traced with each transaction on the state after the one before', async () => {
  const { node, send, trace } = await tracedNode()
  await call(node, 'evm_stopMining')
  const hashes = [await send('fill', [0n, 3n]), await send('fill', [0n, 3n]), await send('nest', [5n], 3)]
  const pending = await call(node, 'debug_traceBlockByNumber', ['pending'])
  await call(node, 'evm_mine')
  const traces = await call(node, 'debug_traceBlockByNumber', ['latest'])
  expect(traces.map(({ txHash }: any) => txHash)).toEqual(hashes)
  expect(traces.map(({ result }: any) => result)).toEqual(
    await Promise.all(hashes.map((hash) => trace(hash))),
  )
  expect(pending).toEqual(traces)
  const { hash } = await call(node, 'eth_getBlockByNumber', ['latest', false])
  expect(await call(node, 'debug_traceBlockByHash', [hash])).toEqual(traces)
  expect(await call(node, 'debug_traceBlockByNumber', [hash])).toEqual(traces)
})

test('a trace is the same after later blocks, and null after a revert of its block', async () => {
  const { node, send, trace } = await tracedNode()
  const snapshot = await call(node, 'evm_snapshot')
  const hash = await send('fill', [0n, 2n])
  const before = await trace(hash)
  await send('fill', [0n, 4n])
  expect(await trace(hash)).toEqual(before)
  await call(node, 'evm_revert', [snapshot])
  expect(await trace(hash)).toBeNull()
})

test('a revert during a trace does not change the trace', async () => {
  const { node, send, trace } = await tracedNode()
  const snapshot = await call(node, 'evm_snapshot')
  const hash = await send('fill', [0n, 30n])
  const [during, reverted] = await Promise.all([trace(hash), call(node, 'evm_revert', [snapshot])])
  expect(reverted).toBe(true)
  expect(during.structLogs.length).toBeGreaterThan(1000)
})

describe('4byteTracer', () => {
  test('counts a call without the balance for its value, as geth does', async () => {
    const { node } = await tracedNode()
    // MSTORE of a selector, CALL with it and a wei that the new contract does not have.
    const data = '0x63aabbccdd60e01b6000526000600060046000600160aa5af1'
    const options = { tracer: '4byteTracer' }
    expect(await call(node, 'debug_traceCall', [{ from: COW, data }, 'latest', options])).toEqual({
      '0xaabbccdd-0': 1,
    })
  })

  test('counts calls by selector and length, without creations and precompiles', async () => {
    const { send, trace, dataOf } = await tracedNode()
    const own = (name: string, args: readonly unknown[]) => dataOf(name, args).slice(0, 10)
    const tracer = { tracer: '4byteTracer' }
    expect(await trace(await send('nest', [5n]), tracer)).toEqual({
      [`${own('nest', [0n])}-32`]: 1,
      '0xbfc207cf-32': 2,
      '0xacc3e84f-0': 1,
    })
    expect(await trace(await send('fail', [2n]), tracer)).toEqual({ [`${own('fail', [0n])}-32`]: 3 })
    expect(await trace(await send('create', [1n, UNKNOWN]), tracer)).toEqual({
      [`${own('create', [0n, UNKNOWN])}-64`]: 1,
    })
  })
})

describe('debug_traceCall', () => {
  test('returns the trace that the transaction has when it is mined', async () => {
    const { node, tracer, send, dataOf, trace } = await tracedNode()
    const transaction = { from: COW, to: tracer, data: dataOf('nest', [5n]), value: '0x3', gas: 3_000_000 }
    const options = { disableMemory: true }
    const simulated = await call(node, 'debug_traceCall', [transaction, 'latest', options])
    expect(await trace(await send('nest', [5n], 3), options)).toEqual(simulated)
  })

  test('applies state and block overrides', async () => {
    const { node } = await tracedNode()
    // NUMBER, TIMESTAMP, COINBASE, SELFBALANCE, and the word at 1
    const code = '0x43424147600154005b'
    const options = {
      stateOverrides: { [HEIR]: { code, balance: '0x7', stateDiff: { '0x1': `0x${'00'.repeat(31)}09` } } },
      blockOverrides: { number: '0x11', time: '0x12', feeRecipient: COW1 },
    }
    const { structLogs } = await call(node, 'debug_traceCall', [{ to: HEIR }, 'latest', options])
    expect(structLogs.at(-1).stack).toEqual(['0x11', '0x12', COW1.replace(/^0x0*/, '0x'), '0x7', '0x9'])
    expect(await call(node, 'eth_getCode', [HEIR])).toBe('0x')
  })

  test('returns the trace of a call that fails', async () => {
    const { node, tracer, dataOf } = await tracedNode()
    const transaction = { to: tracer, data: dataOf('fail', [0n]) }
    const { error, revertReason } = await call(node, 'debug_traceCall', [
      transaction,
      'latest',
      { tracer: 'callTracer' },
    ])
    expect([error, revertReason]).toEqual(['execution reverted', 'deep enough'])
  })

  test('refuses less gas than the intrinsic gas, and an unknown block', async () => {
    const node = await freshNode()
    const { kind } = await refusal(node, 'debug_traceCall', [{ to: HEIR }, '0x99'])
    expect(kind).toBe('unknownBlock')
    const attempt = call(node, 'debug_traceCall', [{ to: HEIR, gas: '0x1' }])
    await expect(attempt).rejects.toBeInstanceOf(NodeError)
    await expect(attempt).rejects.toMatchObject({ kind: 'intrinsicGasTooLow' })
  })
})

test.each([
  [0x01, 'assert(false)'],
  [0x12, 'division or modulo by zero'],
  [0x32, 'out-of-bounds access of an array or bytesN'],
  [0x99, 'unknown panic code: 0x99'],
])('callTracer names the panic code %i as geth does', async (code, reason) => {
  const { node } = await tracedNode()
  const params = [{ data: reverting(panicData(code)) }, 'latest', { tracer: 'callTracer' }]
  expect((await call(node, 'debug_traceCall', params)).revertReason).toBe(reason)
})

test('debug_traceCall takes the block overrides of eth_call', async () => {
  const node = await freshNode()
  const blockOverrides = { number: '0x8', coinbase: MINER, blockHash: { '0x7': RANDOM } }
  const stateOverrides = { [PROBE]: { code: toHex(assembleCode('7 BLOCKHASH COINBASE NUMBER STOP')) } }
  const { structLogs } = await call(node, 'debug_traceCall', [
    { to: PROBE },
    'latest',
    { stateOverrides, blockOverrides },
  ])
  expect(structLogs.at(-1).stack).toEqual(['0xcafe', '0xbeef', '0x8'])
})
