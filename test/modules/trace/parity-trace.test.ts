/** Flat lists of calls: the reference's four methods, and geth's tracer. */

import { describe, expect, test } from '@jest/globals'
import type { Hex } from '../../../lib/base/hex.ts'
import type { Node } from '../../../lib/node/node.ts'
import { call, freshNode } from '../../support/node.ts'
import { COW, COW1 } from '../../support/signing.ts'
import { GAS, HEIR, tracedNode } from '../../support/tracing.ts'

const FEES = '0x0000000000000000000000000000000001000008'
const BRIDGE = '0x0000000000000000000000000000000001000006'
const word = (n: number) => `0x${n.toString(16).padStart(64, '0')}`

/** An item without the members that depend on the compiler. */
const outline = ({ type, subtraces, traceAddress, error, action }: any) => ({
  type,
  subtraces,
  path: traceAddress.join('.'),
  error: error?.replace(/0x[0-9a-f]{64}/, 'HASH'),
  kind: action.callType ?? action.creationMethod,
})

const outlines = async (node: Node, hash: Hex) => (await call(node, 'trace_transaction', [hash])).map(outline)

test('a plain transfer is the item of the reference node', async () => {
  const node = await freshNode()
  const hash = await call(node, 'eth_sendTransaction', [{ from: COW, to: COW1, value: '0xde0b6b3a7640000' }])
  const { hash: blockHash } = await call(node, 'eth_getBlockByNumber', ['latest', false])
  expect(await call(node, 'trace_transaction', [hash])).toEqual([
    {
      action: { callType: 'call', from: COW, to: COW1, gas: '0x0', input: '0x', value: '0xde0b6b3a7640000' },
      blockHash,
      blockNumber: 1,
      transactionHash: hash,
      transactionPosition: 0,
      type: 'call',
      subtraces: 0,
      traceAddress: [],
      result: { gasUsed: '0x5208', output: '0x' },
    },
  ])
})

test('nested calls have their own input and output', async () => {
  const { node, send, dataOf } = await tracedNode()
  const hash = await send('nest', [5n], 3)
  const items = await call(node, 'trace_transaction', [hash])
  expect(items.map(outline).map(({ kind, path }: any) => `${kind} ${path}`)).toEqual([
    'call ',
    'call 0',
    'delegatecall 1',
    'staticcall 2',
  ])
  expect(items.map(({ action }: any) => action.input.slice(0, 10))).toEqual(
    [dataOf('nest', [5n]), '0xbfc207cf', '0xbfc207cf', '0xacc3e84f'].map((input) => input.slice(0, 10)),
  )
  expect(items.map(({ result }: any) => result.output)).toEqual(['0x', ...[10, 12, 5].map(word)])
  expect(items[0].action.gas).toBe(`0x${GAS.toString(16)}`)
})

describe('the items of a trace', () => {
  test('include creations and self-destructs', async () => {
    const { node, send } = await tracedNode()
    expect(await outlines(node, await send('createAndEnd', [HEIR], 5))).toMatchObject([
      { type: 'call', path: '', subtraces: 2 },
      { type: 'create', path: '0', kind: 'create' },
      { type: 'call', path: '1', subtraces: 1 },
      { type: 'suicide', path: '1.0', subtraces: 0 },
    ])
  })

  test.each([
    ['a failed creation, of which only the failed call is left', 'catchAll', [], ['', '0']],
    ['a call that was refused', 'overspend', [HEIR], ['']],
    ['a call of a precompile', 'fail', [1n], ['', '0']],
  ] as const)('on network 33 leave out %s', async (_case, name, args, paths) => {
    const { node, send } = await tracedNode()
    await send('nest', [5n])
    const items = await outlines(node, await send(name, args))
    expect(items.map(({ path }: any) => path)).toEqual(paths)
  })

  test('on network 33 include a call without code, with the gas that it got', async () => {
    const { node, send, tracer } = await tracedNode()
    const [outer, inner] = await call(node, 'trace_transaction', [await send('send', [HEIR], 3)])
    expect([outer.subtraces, outer.result.output]).toEqual([1, '0x'])
    expect(inner).toMatchObject({
      action: { callType: 'call', from: tracer, to: HEIR, input: '0x' },
      subtraces: 0,
      traceAddress: [0],
      result: { gasUsed: '0x0', output: '0x' },
    })
    expect(BigInt(inner.action.gas)).toBeGreaterThan(2300n)
  })

  test('on network 33 include the payments of the fee contract', async () => {
    const node = await freshNode({ systemTransaction: true })
    await call(node, 'eth_sendTransaction', [{ from: COW, to: COW1, gasPrice: 1_000_000_000 }])
    await call(node, 'hardhat_mine', ['0xe'])
    const [outermost, ...payments] = await call(node, 'trace_block', ['0xf'])
    expect(outermost).toMatchObject({ action: { gas: '0x0' }, subtraces: 5, result: { output: '0x' } })
    expect(payments.map(({ action, result }: any) => ({ ...action, ...result }))).toMatchObject([
      { from: FEES, to: '0xdabadabadabadabadabadabadabadabadaba0001', gas: '0x0', gasUsed: '0x0' },
      { to: '0x6b045752f4d650a510a353bbf7e52988331e7f5b' },
      { to: '0x85845342b0d5260d516d6da5280a7df9a96d1925' },
      { to: '0x138161cda86b55c0de1bc3a0adef974633c85fbe' },
      { to: '0xec4ddeb4380ad69b3e509baad9f158cdf4e4681d', callType: 'call', input: '0x', output: '0x' },
    ])
    const paid = payments.reduce((total: bigint, { action }: any) => total + BigInt(action.value), 0n)
    expect(paid).toBe((21_000n * 1_000_000_000n) / 5n)
  })

  test('on network 33 show the direct call of a precompile that fails as a success, as its receipt does', async () => {
    const node = await freshNode()
    const hash = await call(node, 'eth_sendTransaction', [{ from: COW, to: BRIDGE, data: '0x12345678' }])
    const [{ result, error }] = await call(node, 'trace_transaction', [hash])
    const { gasUsed, status } = await call(node, 'eth_getTransactionReceipt', [hash])
    expect([status, result, error]).toEqual(['0x1', { gasUsed, output: '0x' }, undefined])
  })

  test('on an Ethereum network include all calls except calls of precompiles without value', async () => {
    const { node, send } = await tracedNode({ network: 'ethereum' })
    await send('nest', [5n])
    const paths = async (hash: Hex) => (await outlines(node, hash)).map(({ path }: any) => path)
    expect(await paths(await send('catchAll'))).toEqual(['', '0', '1'])
    expect(await paths(await send('send', [HEIR]))).toEqual(['', '0'])
    expect(await paths(await send('fail', [1n]))).toEqual(['', '0'])
  })
})

describe('a failed call has no result, and the error text of the reference node', () => {
  test('a revert', async () => {
    const { node, send } = await tracedNode()
    const items = await call(node, 'trace_transaction', [await send('fail', [1n])])
    expect(items.map(({ result, error }: any) => [result, error])).toEqual([
      [null, 'Reverted'],
      [null, 'Reverted'],
    ])
  })

  const PROGRAM = 'class org.ethereum.vm.program.Program$'
  test.each([
    ['0xfe', `${PROGRAM}IllegalOperationException: Invalid operation code: opcode[fe], tx[HASH]`],
    [
      '0x600a56',
      `${PROGRAM}BadJumpDestinationException: Operation with pc isn't 'JUMPDEST': PC[10], tx[HASH]`,
    ],
    ['0x6001f1', `${PROGRAM}StackTooSmallException: Expected stack size 7 but actual 1, tx: HASH`],
    [
      '0x62ffffff6000fd',
      `${PROGRAM}OutOfGasException: Not enough gas for 'REVERT' cause spending: invokeGas[100000], gas[538443776], usedGas[53108], tx[HASH]`,
    ],
    [
      '0x6160006000f3',
      `${PROGRAM}OutOfGasException: Not enough gas for 'No gas to return just created contract' cause spending: invokeGas[100000], gas[0], usedGas[100000], tx[HASH]`,
    ],
  ])('creation code %s', async (data, error) => {
    const { node } = await tracedNode()
    const hash = await call(node, 'eth_sendTransaction', [{ from: COW, data, gas: 100_000 }])
    expect((await outlines(node, hash))[0].error).toBe(error)
  })
})

test('flatCallTracer has an item for every frame of callTracer, and its errors', async () => {
  const { send, trace } = await tracedNode()
  const hash = await send('catchAll')
  const items = await trace(hash, { tracer: 'flatCallTracer' })
  expect(items.map(outline)).toMatchObject([
    { type: 'call', path: '' },
    { type: 'call', path: '0', error: 'execution reverted' },
    { type: 'create', path: '1', error: 'execution reverted' },
  ])
  const { calls } = await trace(hash, { tracer: 'callTracer' })
  expect(items.slice(1).map(({ action }: any) => action.gas)).toEqual(calls.map(({ gas }: any) => gas))
  const failing = await trace(await send('fail', [1n]), {
    tracer: 'flatCallTracer',
    tracerConfig: { includePrecompiles: true },
  })
  expect(failing.map(({ traceAddress }: any) => traceAddress.join('.'))).toEqual(['', '0', '1'])
})
