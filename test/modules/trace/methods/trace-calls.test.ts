/** Traces in Parity's format of calls on top of each other, and of signed transactions. */

import { describe, expect, test } from '@jest/globals'
import { fromHex, toHex } from '../../../../lib/base/hex.ts'
import type { Node } from '../../../../lib/node/node.ts'
import { CONTRACTS, creationCode, words } from '../../../support/bytecode.ts'
import { withNode, withRemote } from '../../../support/forks.ts'
import { call, freshNode, refusal } from '../../../support/node.ts'
import { COW, COW1, keyOf, signed } from '../../../support/signing.ts'
import { EVERYTHING, GAS, HEIR, tracedNode } from '../../../support/tracing.ts'

const BOTH = ['trace', 'stateDiff']
const STORE = `0x${'cc'.repeat(20)}`

const traceOne = async (node: Node, transaction: object, block = 'latest') =>
  (await call(node, 'trace_callMany', [[[transaction, BOTH]], block]))[0]

/** A node of network 33 with a contract that writes arg 1 to slot arg 0. */
async function withStore(): Promise<Node> {
  const node = await freshNode()
  await call(node, 'hardhat_setCode', [STORE, toHex(CONTRACTS.store)])
  return node
}

const store = (slot: bigint, value: bigint) => ({ from: COW, to: STORE, data: words([slot, value]) })

describe('trace_callMany', () => {
  test('each call is traced as on the chain that has mined the calls before it', async () => {
    const { node, tracer, dataOf, send } = await tracedNode()
    const calls = EVERYTHING.map(([name, args, value]) => ({
      from: COW,
      to: tracer,
      data: dataOf(name, args),
      value: `0x${value.toString(16)}`,
      gas: `0x${GAS.toString(16)}`,
    }))
    const together = await call(node, 'trace_callMany', [calls.map((one) => [one, BOTH])])
    const single = []
    for (const [index, sending] of EVERYTHING.entries()) {
      single.push(await traceOne(node, calls[index]!))
      await send(...sending)
    }
    expect(together).toEqual(single)
    expect(together.map(({ trace }: any) => trace.length)).toContain(1)
    expect(Object.keys(together.at(0).stateDiff).length).toBeGreaterThan(1)
  })

  test('the changes are those that the prestate tracer finds in the mined transaction', async () => {
    const { node, tracer, dataOf, send, trace } = await tracedNode()
    for (const [name, args, value] of EVERYTHING) {
      const transaction = { from: COW, to: tracer, data: dataOf(name, args), value, gas: GAS }
      const { stateDiff } = await traceOne(node, transaction)
      const options = { tracer: 'prestateTracer', tracerConfig: { diffMode: true } }
      const { pre, post } = await trace(await send(name, args, value), options)
      const changed = Object.keys(stateDiff).sort()
      expect(changed).toEqual([...new Set([...Object.keys(pre), ...Object.keys(post)])].sort())
      for (const address of changed) {
        const { balance, storage } = stateDiff[address]
        if (post[address] === undefined) {
          expect(balance).toEqual({ '-': pre[address].balance })
          continue
        }
        const slots = { ...pre[address]?.storage, ...post[address].storage }
        expect(Object.keys(storage).sort()).toEqual(Object.keys(slots).sort())
        const to = balance === '=' ? undefined : (balance['*']?.to ?? balance['+'])
        expect(to).toBe(post[address].balance ?? (balance === '=' ? undefined : '0x0'))
      }
    }
  })

  test('a value that changes, an account that appears and one that goes', async () => {
    const node = await withStore()
    const slot = `0x${'00'.repeat(31)}05`
    const word = (value: string) => `0x${value.padStart(64, '0')}`
    const traces = await call(node, 'trace_callMany', [
      [
        [store(5n, 7n), BOTH],
        [{ from: COW, data: toHex(creationCode(CONTRACTS.destroy)), value: '0x3' }, BOTH],
      ],
    ])
    expect(traces[0].stateDiff[STORE]).toEqual({
      balance: '=',
      code: '=',
      nonce: '=',
      storage: { [slot]: { '*': { from: word('0'), to: word('7') } } },
    })
    const created = traces[1].trace[0].result.address
    expect(traces[1].output).toBe(toHex(CONTRACTS.destroy))
    expect(traces[1].stateDiff[created]).toEqual({
      balance: { '+': '0x3' },
      code: { '+': toHex(CONTRACTS.destroy) },
      nonce: { '+': expect.stringMatching(/^0x[01]$/) },
      storage: {},
    })
    const end = { from: COW, to: created, data: words([BigInt(HEIR)]) }
    await call(node, 'eth_sendTransaction', [
      { from: COW, data: toHex(creationCode(CONTRACTS.destroy)), value: '0x3', nonce: '0x0' },
    ])
    const at = (
      await call(node, 'eth_getTransactionReceipt', [
        (await call(node, 'eth_getBlockByNumber', ['latest', false])).transactions[0],
      ])
    ).contractAddress
    const { stateDiff } = await traceOne(node, { ...end, to: at })
    expect(stateDiff[at]).toMatchObject({ balance: { '-': '0x3' }, code: { '-': toHex(CONTRACTS.destroy) } })
  })

  test('only what is asked for is there, and nothing changes', async () => {
    const node = await withStore()
    const asked = [[], ['trace'], ['stateDiff']].map((types) => [store(1n, 1n), types])
    const [none, calls, changes] = await call(node, 'trace_callMany', [asked])
    expect(none).toEqual({ output: '0x', stateDiff: null, trace: [], vmTrace: null })
    expect(calls).toMatchObject({ stateDiff: null, trace: [{ type: 'call', action: { to: STORE } }] })
    expect(Object.keys(calls.trace[0])).toEqual(['action', 'type', 'subtraces', 'traceAddress', 'result'])
    expect(changes.trace).toEqual([])
    expect(await call(node, 'eth_getStorageAt', [STORE, '0x1'])).toBe(`0x${'00'.repeat(32)}`)
    expect(await call(node, 'eth_getTransactionCount', [COW])).toBe('0x0')
  })

  test.each([
    ['revert', 'Reverted', '0xc0ffee'],
    ['invalid', 'Bad instruction', '0x'],
  ] as const)("a call that fails has Parity's error: %s", async (contract, error, output) => {
    const node = await freshNode()
    await call(node, 'hardhat_setCode', [STORE, toHex(CONTRACTS[contract])])
    const traced = await traceOne(node, { from: COW, to: STORE, data: '0xc0ffee', gas: '0x186a0' })
    expect(traced).toMatchObject({ output, trace: [{ error, result: null }] })
    expect(Object.keys(traced.stateDiff)).toEqual([COW])
  })

  test('the fork of a chain loads what the calls read', async () => {
    await withRemote({ network: 'ethereum' }, async ({ url, call: ask }) => {
      await ask('hardhat_setCode', [STORE, toHex(CONTRACTS.store)])
      await ask('hardhat_setStorageAt', [STORE, '0x5', `0x${'00'.repeat(31)}09`])
      await ask('evm_mine')
      await withNode({ forkUrl: url, network: 'ethereum' }, async (node) => {
        const traced = await traceOne(node, { to: STORE, data: words([5n, 7n]) })
        const [change] = Object.values<any>(traced.stateDiff[STORE].storage)
        expect([change['*'].from, change['*'].to].map(Number)).toEqual([9, 7])
      })
    })
  })

  test.each([
    ['a call without parts', [[[{ to: COW1 }]]], 'params[0][0]'],
    ['an unknown part', [[[{ to: COW1 }, ['gas']]]], 'expected one of trace, stateDiff, vmTrace'],
    [
      'vmTrace',
      [[[{ to: COW1 }, ['vmTrace']]]],
      'vmTrace is not supported; debug_traceCall traces single steps',
    ],
    ['no list', [{ to: COW1 }], 'expected an array of at most 1000 calls'],
    ['no address', [[[{ to: '0x1' }, []]]], 'params[0][0][0].to'],
    ['an unknown block', [[], '0x99'], 'Block 0x99 not found'],
    ['no funds', [[[{ from: STORE, to: COW, value: '0x1' }, []]]], 'insufficient funds'],
  ])('refuses %s', async (_case, params, message) => {
    const { message: text } = await refusal(await freshNode(), 'trace_callMany', params)
    expect(text).toContain(message)
  })
})

describe('trace_call', () => {
  test('is the first of many, with overrides', async () => {
    const node = await withStore()
    expect(await call(node, 'trace_call', [store(1n, 2n), BOTH])).toEqual(await traceOne(node, store(1n, 2n)))
    const code = {
      [STORE]: { code: toHex(CONTRACTS.load), state: { [`0x${'00'.repeat(32)}`]: `0x${'00'.repeat(31)}07` } },
    }
    const traced = await call(node, 'trace_call', [{ to: STORE, data: words([0n]) }, [], 'latest', code])
    expect(Number(traced.output)).toBe(7)
  })
})

describe('trace_rawTransaction', () => {
  test('is the trace of the transaction once it is mined', async () => {
    const node = await withStore()
    const raw = signed({ to: STORE, data: words([1n, 2n]), gas: 100_000n, gasPrice: 3n })
    const traced = await call(node, 'trace_rawTransaction', [raw, BOTH])
    const hash = await call(node, 'eth_sendRawTransaction', [raw])
    const mined = await call(node, 'trace_transaction', [hash])
    expect(mined).toMatchObject(traced.trace)
    const paid = BigInt(traced.trace[0].result.gasUsed) * 3n
    const { from, to } = traced.stateDiff[COW].balance['*']
    expect(BigInt(from) - BigInt(to)).toBe(paid + 1n)
    expect(BigInt(to)).toBe(BigInt(await call(node, 'eth_getBalance', [COW])))
  })

  test('runs after the pool in the pending block', async () => {
    const node = await withStore()
    await call(node, 'evm_setAutomine', [false])
    await call(node, 'eth_sendRawTransaction', [signed()])
    const next = signed({ nonce: 1n })
    expect((await refusal(node, 'trace_rawTransaction', [next, []])).message).toContain(
      "nonce 1 is not the account's 0",
    )
    expect(await call(node, 'trace_rawTransaction', [next, [], 'pending'])).toMatchObject({ output: '0x' })
  })

  const broken = fromHex(signed())
  broken[broken.length - 1]! ^= 1

  test.each([
    ['no transaction', '0xc0', 'members'],
    ['another chain', signed({ chainId: 1n }), 'signed for 1, this chain is 33'],
    ['a nonce that was used', signed({ nonce: 7n }), "nonce 7 is not the account's 0"],
    ['another signature', toHex(broken), 'balance of 0x'],
    ['a sender without funds', signed({ key: keyOf('poor') }), 'balance of 0x'],
    ['more gas than a block', signed({ gas: 99_999_999n }), 'exceeds block gas limit'],
  ])('refuses %s', async (_case, raw, message) => {
    const { message: text } = await refusal(await freshNode(), 'trace_rawTransaction', [raw, BOTH])
    expect(text).toContain(message)
  })
})
