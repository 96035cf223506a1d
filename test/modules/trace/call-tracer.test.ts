/** Call frames in geth's format, compared by hand with those of Anvil for the same contract. */

import { describe, expect, test } from '@jest/globals'
import { call, freshNode } from '../../support/node.ts'
import { COW } from '../../support/signing.ts'
import { GAS, HEIR, tracedNode } from '../../support/tracing.ts'

/** A frame without the members that depend on the compiler: gas, and the bytes of code. */
function outline({ type, from, to, value, error, revertReason, calls = [], logs = [] }: any): any {
  return {
    type,
    from,
    to,
    value,
    error,
    revertReason,
    logs: logs.map((log: any) => Number(log.position)),
    calls: calls.map(outline),
  }
}

/** Members that an outline leaves out. */
const frame = (type: string, from: string, to: string | undefined, rest: object = {}) => ({
  type,
  from,
  to,
  value: '0x0',
  error: undefined,
  revertReason: undefined,
  logs: [],
  calls: [],
  ...rest,
})

const word = (n: number) => `0x${n.toString(16).padStart(64, '0')}`
const tracer = { tracer: 'callTracer', tracerConfig: { withLog: true } }

test('calls, delegate calls and static calls are in order, with the position of logs', async () => {
  const { tracer: contract, child, send, trace, dataOf, node } = await tracedNode()
  const hash = await send('nest', [5n], 3)
  const root = await trace(hash, tracer)
  expect(outline(root)).toEqual(
    frame('CALL', COW, contract, {
      value: '0x3',
      logs: [0, 1, 3],
      calls: [
        frame('CALL', contract, child, { value: '0x3', logs: [0] }),
        frame('DELEGATECALL', contract, child, { value: '0x3', logs: [0] }),
        frame('STATICCALL', contract, child, { value: undefined }),
      ],
    }),
  )
  const { gasUsed } = await call(node, 'eth_getTransactionReceipt', [hash])
  expect([root.gas, root.gasUsed]).toEqual([`0x${GAS.toString(16)}`, gasUsed])
  expect([root.input, root.output]).toEqual([dataOf('nest', [5n]), word(10 + 12 + 5)])
  expect(root.calls.map(({ output }: any) => output)).toEqual([word(10), word(12), word(5)])
  expect(root.calls[1].input.slice(-64)).toBe(word(6).slice(2))
  expect(root.calls[1].logs[0].address).toBe(contract)
  expect(root.logs.map(({ index }: any) => index)).toEqual(['0x0', '0x2', '0x4'])
})

test('a caught revert has its error and reason, and no logs', async () => {
  // Network 33 loses the reason of a creation, which the contract then cannot catch (node-chain 9.1).
  const { node, tracer: contract, child, send, trace } = await tracedNode({ network: 'ethereum' })
  await send('nest', [5n])
  const root = await trace(await send('catchAll'), tracer)
  const failed = { error: 'execution reverted' }
  expect(outline(root)).toEqual(
    frame('CALL', node.funded[0]!.address, contract, {
      calls: [
        frame('CALL', contract, child, failed),
        frame('CREATE', contract, undefined, { ...failed, revertReason: 'no zero' }),
      ],
    }),
  )
  expect(root.calls[0].output).toMatch(/^0xe94fe3af0{64}0{63}5$/)
})

test.each([
  ['CREATE', word(0)],
  ['CREATE2', word(7)],
])('%s has the created address and code', async (type, salt) => {
  const { tracer: contract, send, trace, node } = await tracedNode()
  const root = await trace(await send('create', [9n, salt], 2), tracer)
  const made = `0x${root.output.slice(26)}`
  expect(outline(root).calls).toEqual([frame(type, contract, made, { value: '0x2' })])
  expect(root.calls[0].output).toBe(await call(node, 'eth_getCode', [made]))
  expect(root.calls[0].input.slice(-64)).toBe(word(9).slice(2))
})

test('SELFDESTRUCT has the sent balance', async () => {
  const { tracer: contract, send, trace } = await tracedNode()
  const root = outline(await trace(await send('createAndEnd', [HEIR], 5), tracer))
  const made = root.calls[0].to
  expect(root.calls).toEqual([
    frame('CREATE', contract, made, { value: '0x5' }),
    frame('CALL', contract, made, { calls: [frame('SELFDESTRUCT', made, HEIR, { value: '0x5' })] }),
  ])
})

test('a call without the balance for its value has a frame', async () => {
  const { tracer: contract, send, trace } = await tracedNode()
  const root = await trace(await send('overspend', [HEIR]), tracer)
  const error = 'insufficient balance for transfer'
  expect(outline(root).calls).toEqual([frame('CALL', contract, HEIR, { value: '0x65', error })])
  expect(root.calls[0].gasUsed).toBe('0x0')
})

test('a revert is in every frame, and precompiles have frames', async () => {
  const { tracer: contract, send, trace } = await tracedNode()
  const failed = { error: 'execution reverted', revertReason: 'deep enough' }
  const hash = await send('fail', [1n])
  expect(outline(await trace(hash, tracer))).toEqual(
    frame('CALL', COW, contract, {
      ...failed,
      calls: [
        frame('STATICCALL', contract, `0x${'00'.repeat(19)}02`, { value: undefined }),
        frame('CALL', contract, contract, failed),
      ],
    }),
  )
  const top = await trace(hash, { tracer: 'callTracer', tracerConfig: { onlyTopCall: true } })
  expect(outline(top)).toEqual(frame('CALL', COW, contract, failed))
})

describe('exceptions', () => {
  test('an invalid instruction is named, and takes all gas', async () => {
    const { send, trace } = await tracedNode()
    const { error, gas, gasUsed, output } = await trace(await send('burn'), tracer)
    expect({ error, gasUsed, output }).toEqual({
      error: 'invalid opcode: INVALID',
      gasUsed: gas,
      output: undefined,
    })
  })

  test.each([
    ['0x600a56', 'invalid jump destination'],
    ['0x01', 'stack underflow (0 <=> 2)'],
    ['0x0c', 'invalid opcode: opcode 0xc not defined'],
    ['0x5b600056', 'out of gas'],
    ['0x60ef60005360016000f3', 'invalid code: must not begin with 0xef'],
    ['0x5b6000600056', 'stack limit reached 1024 (1023)'],
    ['0x60016000803e', 'return data out of bounds'],
    ['0x6160006000f3', 'contract creation code storage out of gas'],
  ])('creation code %s ends with: %s', async (data, expected) => {
    const { node } = await tracedNode()
    const created = await call(node, 'debug_traceCall', [
      { from: COW, data, gas: '0x186a0' },
      'latest',
      tracer,
    ])
    expect({ type: created.type, error: created.error, to: created.to }).toEqual({
      type: 'CREATE',
      error: expected,
      to: undefined,
    })
  })
})

test('a log of a precompile is in its frame, and among the transfers of eth_simulateV1', async () => {
  const node = await freshNode()
  const bridge = '0x0000000000000000000000000000000001000006'
  // The amount is too small to be released: the Bridge emits an event.
  const transaction = { from: COW, to: bridge, value: '0x1', gas: '0x30d40' }
  const hash = await call(node, 'eth_sendTransaction', [transaction])
  const { logs } = await call(node, 'eth_getTransactionReceipt', [hash])
  const root = await call(node, 'debug_traceTransaction', [hash, tracer])
  expect(root.logs.map(({ address, topics }: any) => [address, topics])).toEqual([[bridge, logs[0].topics]])
  const [block] = await call(node, 'eth_simulateV1', [
    { blockStateCalls: [{ calls: [transaction] }], traceTransfers: true },
    'latest',
  ])
  expect(block.calls[0].logs.map(({ address }: any) => address)).toEqual([`0x${'ee'.repeat(20)}`, bridge])
})
