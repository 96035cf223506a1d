/** Flat lists of calls: the reference's four methods, and geth's tracer. */

import { describe, expect, test } from '@jest/globals'
import type { Hex } from '../../lib/base/hex.ts'
import type { Node } from '../../lib/node.ts'
import { call, freshNode, refusal } from '../support/node.ts'
import { COW, COW1 } from '../support/signing.ts'
import { GAS, HEIR, tracedNode } from '../support/tracing.ts'

const word = (n: number) => `0x${n.toString(16).padStart(64, '0')}`
const COW2 = '0x0a3aa774752ec2042c46548456c094a76c7f3a79'

/** An item without what depends on the compiler. */
const outline = ({ type, subtraces, traceAddress, error, action }: any) => ({
  type,
  subtraces,
  path: traceAddress.join('.'),
  error: error?.replace(/0x[0-9a-f]{64}/, 'HASH'),
  kind: action.callType ?? action.creationMethod,
})

const outlines = async (node: Node, hash: Hex) => (await call(node, 'trace_transaction', [hash])).map(outline)

test('a plain transfer is the item the reference shows', async () => {
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

test('nested calls have their own input and output, and the outermost its real output', async () => {
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
  expect(items.map(({ result }: any) => result.output)).toEqual([27, 10, 12, 5].map(word))
  expect(items[0].action.gas).toBe(`0x${GAS.toString(16)}`)
})

describe('which calls there are', () => {
  test('creations and ends are items', async () => {
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
    ['a call without code', 'send', [HEIR], ['']],
    ['a call that was refused', 'overspend', [HEIR], ['']],
    ['a call of a contract of the protocol', 'fail', [1n], ['', '0']],
  ] as const)('network 33 leaves out %s', async (_case, name, args, paths) => {
    const { node, send } = await tracedNode()
    await send('nest', [5n])
    const items = await outlines(node, await send(name, args))
    expect(items.map(({ path }: any) => path)).toEqual(paths)
  })

  test('an Ethereum network shows them all, but for free calls of contracts of the protocol', async () => {
    const { node, send } = await tracedNode({ network: 'ethereum' })
    await send('nest', [5n])
    const paths = async (hash: Hex) => (await outlines(node, hash)).map(({ path }: any) => path)
    expect(await paths(await send('catchAll'))).toEqual(['', '0', '1'])
    expect(await paths(await send('send', [HEIR]))).toEqual(['', '0'])
    expect(await paths(await send('fail', [1n]))).toEqual(['', '0'])
  })
})

describe('what failed has no result, and an error in the words of the reference', () => {
  test('a revert', async () => {
    const { node, send } = await tracedNode()
    const items = await call(node, 'trace_transaction', [await send('fail', [1n])])
    expect(items.map(({ result, error }: any) => [result, error])).toEqual([
      [null, 'Reverted'],
      [null, 'Reverted'],
    ])
  })

  const PROGRAM = 'org.ethereum.vm.program.Program$'
  test.each([
    ['0xfe', `${PROGRAM}IllegalOperationException: Invalid operation code: opcode[fe], tx[HASH]`],
    [
      '0x600a56',
      `${PROGRAM}BadJumpDestinationException: Operation with pc isn't 'JUMPDEST': PC[10], tx[HASH]`,
    ],
    ['0x6001f1', `${PROGRAM}StackTooSmallException: Expected stack size 7 but actual 1, tx: HASH`],
    [
      '0x62ffffff6000fd',
      `${PROGRAM}OutOfGasException: Not enough gas for 'REVERT' operation executing: opGas[538443776], programGas[46892], tx[HASH]`,
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

/** Blocks 1 to 4: cow to cow1, cow1 to cow, cow to cow2, and nothing. */
async function fourBlocks(): Promise<Node> {
  const node = await freshNode()
  for (const [from, to] of [
    [COW, COW1],
    [COW1, COW],
    [COW, COW2],
  ]) {
    await call(node, 'eth_sendTransaction', [{ from, to, value: 1 }])
  }
  await call(node, 'evm_mine')
  return node
}

describe('trace_filter', () => {
  test.each([
    ['everything', {}, [1, 2, 3]],
    ['from a block', { fromBlock: '0x2' }, [2, 3]],
    ['to a block', { toBlock: '0x2' }, [1, 2]],
    ['beyond the head', { fromBlock: '0x3', toBlock: '0x99' }, [3]],
    ['behind the head', { fromBlock: '0x99' }, []],
    ['of a sender', { fromAddress: [COW] }, [1, 3]],
    ['of one of several senders', { fromAddress: [COW, COW1] }, [1, 2, 3]],
    ['to a receiver', { toAddress: [COW] }, [2]],
    ['of a sender to a receiver', { fromAddress: [COW], toAddress: [COW2] }, [3]],
    ['of a sender to another receiver', { fromAddress: [COW1], toAddress: [COW2] }, []],
    ['the first', { count: 1 }, [1]],
    ['the second', { after: 1, count: 1 }, [2]],
    ['after the second', { after: '0x2' }, [3]],
    ['none', { count: 0 }, []],
    ['after all', { after: 10 }, []],
  ])('finds the traces %s', async (_case, filter, blocks) => {
    const items = await call(await fourBlocks(), 'trace_filter', [filter])
    expect(items.map(({ blockNumber }: any) => blockNumber)).toEqual(blocks)
  })

  test('pages go through the items of a transaction, one after another', async () => {
    const { node, send } = await tracedNode()
    await send('nest', [5n])
    await send('nest', [6n])
    const all = await call(node, 'trace_filter', [{}])
    const pages = await Promise.all(
      all.map((_: unknown, after: number) => call(node, 'trace_filter', [{ after, count: 1 }])),
    )
    expect(pages.flat()).toEqual(all)
    expect(all.length).toBe(2 + 4 + 4)
  })

  test.each([
    ['null', null, 'Invalid trace_filter parameters, got '],
    ['too large a count', { count: 10_001 }, 'Count value too big. Maximum 10000 traces allowed, got 10001'],
    ['a negative start', { after: -1 }, 'After value cannot be negative, got -1'],
    ['too large a start', { after: 10_001 }, 'After value too big. Maximum 10000 traces allowed, got 10001'],
    ['a range backwards', { fromBlock: '0x2', toBlock: '0x1' }, 'fromBlock cannot be greater than toBlock'],
    ['an unknown member', { blockHash: word(1) }, 'Invalid trace_filter parameters, got '],
  ])('refuses %s', async (_case, filter, message) => {
    const refused = await refusal(await fourBlocks(), 'trace_filter', [filter])
    expect(refused.kind).toBe('invalidParams')
    expect(refused.message).toContain(message)
  })
})

describe('trace_block', () => {
  test('answers the items of all transactions, none for genesis, null for an unknown block', async () => {
    const { node, send } = await tracedNode()
    await call(node, 'evm_stopMining')
    const hashes = [await send('loop', [1n]), await send('send', [HEIR], 1)]
    await call(node, 'evm_mine')
    const items = await call(node, 'trace_block', ['latest'])
    expect(
      items.map(({ transactionHash, transactionPosition }: any) => [transactionHash, transactionPosition]),
    ).toEqual(hashes.map((hash, position) => [hash, position]))
    expect(await call(node, 'trace_block', [items[0].blockHash])).toEqual(items)
    expect(await call(node, 'trace_block', ['earliest'])).toEqual([])
    expect(await call(node, 'trace_block', ['0x99'])).toBeNull()
  })

  test('says that a block is none', async () => {
    const { kind, message } = await refusal(await freshNode(), 'trace_block', ['soon'])
    expect([kind, message]).toEqual(['invalidParams', expect.stringContaining('invalid blocknumber soon')])
  })
})

describe('trace_get', () => {
  test('counts within the transaction', async () => {
    const { node, send } = await tracedNode()
    await call(node, 'evm_stopMining')
    await send('loop', [1n])
    const hash = await send('nest', [5n])
    await call(node, 'evm_mine')
    const items = await call(node, 'trace_transaction', [hash])
    for (const [position, item] of items.entries()) {
      expect(await call(node, 'trace_get', [hash, [`0x${position}`]])).toEqual(item)
    }
    expect(await refusal(node, 'trace_get', [hash, ['0x4']])).toEqual({
      kind: 'invalidParams',
      message: 'params[1] (positions): the transaction has 4 traces, there is none at position 4',
    })
  })

  test.each([
    ['no positions', [], "'positions' cannot be null or empty"],
    ['no list', null, "'positions' cannot be null or empty"],
    ['two positions', ['0x0', '0x1'], "'positions' accepts only one index"],
  ])('refuses %s', async (_case, positions, message) => {
    const refused = await refusal(await freshNode(), 'trace_get', [word(1), positions])
    expect(refused.kind).toBe('invalidParams')
    expect(refused.message).toContain(message)
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
