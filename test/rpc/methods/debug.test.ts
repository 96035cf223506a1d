import { describe, expect, test } from '@jest/globals'
import { createBlockFromRLP } from '@ethereumjs/block'
import { Mainnet, createCustomCommon } from '@ethereumjs/common'
import { NodeError } from '../../../lib/base/errors.ts'
import { call, freshNode, refusal } from '../../support/node.ts'
import { panicData, reverting } from '../../support/programs.ts'
import { COW, COW1 } from '../../support/signing.ts'
import { HEIR, tracedNode } from '../../support/tracing.ts'
import { toHex, fromHex, toHash } from '../../../lib/base/hex.ts'
import { assembleCode } from '../../support/bytecode.ts'
import { decodeRlp } from '../../../lib/base/rlp.ts'
import { keccak256 } from '../../../lib/crypto/keccak.ts'
import type { Node } from '../../../lib/node/node.ts'
import { orderedRoot } from '../../../lib/state/trie.ts'

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

/** A node whose block 1 has a transaction of each type of the network, except blob transactions. */
async function nodeWithBlock(network: string) {
  const node = await freshNode({ network, mining: false })
  const fees = { maxFeePerGas: '0x77359400', maxPriorityFeePerGas: '0x1' }
  const kinds = network === 'ethereum' ? [{ type: '0x0' }, { type: '0x1', accessList: [] }, fees] : [{}, {}]
  for (const [index, fields] of kinds.entries()) {
    const { address: from } = node.funded[index]!
    await call(node, 'eth_sendTransaction', [{ from, to: from, value: '0x1', gas: '0x5208', ...fields }])
  }
  await call(node, 'evm_mine')
  return { node, block: await call(node, 'eth_getBlockByNumber', ['0x1', true]) }
}

const raw = (node: Node, what: string, block = '0x1') => call(node, `debug_getRaw${what}`, [block])

describe('on an Ethereum network', () => {
  test('ethereumjs decodes a raw block to the same block', async () => {
    const { node, block } = await nodeWithBlock('ethereum')
    const common = createCustomCommon({ chainId: Number(node.network.chainId) }, Mainnet, {
      hardfork: node.network.hardfork,
    })
    const encoded = fromHex(await raw(node, 'Block'))
    const read = createBlockFromRLP(encoded, { common, setHardfork: false })
    expect(toHex(read.hash())).toBe(block.hash)
    expect(read.transactions.map(({ type }) => type).toSorted()).toEqual([0, 1, 2])
    expect(read.transactions.map((transaction) => toHex(transaction.hash()))).toEqual(
      block.transactions.map(({ hash }: { hash: string }) => hash),
    )
    expect(await read.transactionsTrieIsValid()).toBe(true)
    expect(encoded.length).toBe(Number(block.size))
  })

  test('a raw header hashes to the block hash', async () => {
    const { node, block } = await nodeWithBlock('ethereum')
    expect(toHash(keccak256(fromHex(await raw(node, 'Header', block.hash))))).toBe(block.hash)
  })
})

describe.each(['ethereum', 'network-33'])('on %s', (network) => {
  test('raw receipts hash to the receipts root', async () => {
    const { node, block } = await nodeWithBlock(network)
    const receipts: string[] = await raw(node, 'Receipts')
    expect(toHex(orderedRoot(receipts.map(fromHex)))).toBe(block.receiptsRoot)
  })

  test('a raw block has the length of its size, and holds header, transactions and uncles', async () => {
    const { node, block } = await nodeWithBlock(network)
    const encoded = fromHex(await raw(node, 'Block'))
    expect(encoded.length).toBe(Number(block.size))
    const [, transactions, uncles] = decodeRlp(encoded) as readonly (readonly unknown[])[]
    expect([transactions!.length, uncles!.length]).toEqual([block.transactions.length, 0])
  })

  test('a raw transaction hashes to its hash under every method', async () => {
    const { node, block } = await nodeWithBlock(network)
    const all: string[] = await raw(node, 'Transactions')
    for (const [index, { hash }] of block.transactions.entries()) {
      expect(toHash(keccak256(fromHex(all[index]!)))).toBe(hash)
      const asked = [
        await call(node, 'debug_getRawTransaction', [hash]),
        await call(node, 'eth_getRawTransactionByBlockHashAndIndex', [block.hash, index]),
        await call(node, 'eth_getRawTransactionByBlockNumberAndIndex', ['latest', index]),
      ]
      expect(asked).toEqual([all[index], all[index], all[index]])
    }
  })
})

test('debug_getRawTransaction finds a pooled transaction and returns null for an unknown hash', async () => {
  const node = await freshNode({ mining: false })
  const { address: from } = node.funded[0]!
  const hash = await call(node, 'eth_sendTransaction', [{ from, to: from }])
  expect(toHash(keccak256(fromHex(await call(node, 'debug_getRawTransaction', [hash]))))).toBe(hash)
  expect(await call(node, 'debug_getRawTransaction', [`0x${'11'.repeat(32)}`])).toBeNull()
})

test.each(['Block', 'Header', 'Receipts', 'Transactions'])(
  'debug_getRaw%s refuses an unknown block',
  async (what) => {
    const node = await freshNode()
    const { kind, message } = await refusal(node, `debug_getRaw${what}`, ['0x5'])
    expect([kind, message]).toEqual(['unknownBlock', 'Block 0x5 not found'])
  },
)
