/** Order, isolation and the log of requests. Envelopes are tested in envelope.test.ts. */

import { describe, expect, test } from '@jest/globals'
import type { RequestLogEntry } from '../../lib/config/request-log.ts'
import * as z from 'zod'
import { readMethod, writeMethod } from '../../lib/kernel/method.ts'
import { Registry } from '../../lib/rpc/registry.ts'
import { reverting } from '../support/programs.ts'
import { call, dispatcherOf, freshNode } from '../support/node.ts'
import { rpc } from '../support/server.ts'
import { COW, COW1 } from '../support/signing.ts'

/** A method that begins, waits until the test lets it continue, and ends. */
function gated(name: string, access: 'read' | 'write', journal: string[]) {
  let open: () => void = () => undefined
  const gate = new Promise<void>((resolve) => (open = resolve))
  const declare = access === 'read' ? readMethod : writeMethod
  const declared = declare({
    name,
    summary: 'Waits.',
    params: [],
    result: z.null(),
    example: { params: [] },
    run: async () => {
      journal.push(`${name} begins`)
      await gate
      journal.push(`${name} ends`)
      return null
    },
  })
  return { declared, open: () => open() }
}

describe('requests at the same time', () => {
  const cases: readonly (readonly [string, readonly ('read' | 'write')[], readonly string[]])[] = [
    ['reads run side by side', ['read', 'read'], ['t_0 begins', 't_1 begins', 't_1 ends', 't_0 ends']],
    [
      'a write waits for a read before it',
      ['read', 'write'],
      ['t_0 begins', 't_0 ends', 't_1 begins', 't_1 ends'],
    ],
    [
      'a read waits for a write before it',
      ['write', 'read'],
      ['t_0 begins', 't_0 ends', 't_1 begins', 't_1 ends'],
    ],
    [
      'writes come one after the other',
      ['write', 'write'],
      ['t_0 begins', 't_0 ends', 't_1 begins', 't_1 ends'],
    ],
    [
      'a read does not overtake a waiting write',
      ['read', 'write', 'read'],
      ['t_0 begins', 't_0 ends', 't_1 begins', 't_1 ends', 't_2 begins', 't_2 ends'],
    ],
  ]

  test.each(cases)('%s', async (_, accesses, expected) => {
    const journal: string[] = []
    const methods = accesses.map((access, index) => gated(`t_${index}`, access, journal))
    const registry = new Registry(methods.map(({ declared }) => declared))
    const dispatcher = dispatcherOf(await freshNode(), { registry })
    const answers = methods.map((__, index) => dispatcher.answer(rpc(`t_${index}`), 'node33'))
    // The last first, so that only the lock can bring them into order.
    for (const { open } of methods.toReversed()) {
      open()
      await new Promise((resolve) => setImmediate(resolve))
    }
    await Promise.all(answers)
    expect(journal).toEqual(expected)
  })

  test('five hundred transfers at once get five hundred nonces and blocks', async () => {
    const node = await freshNode()
    const dispatcher = dispatcherOf(node)
    const transfer = rpc('eth_sendTransaction', [{ from: COW, to: COW1, value: '0x1' }])
    const answers = await Promise.all(
      Array.from({ length: 500 }, () => dispatcher.answer(transfer, 'node33')),
    )
    const hashes = answers.map((answer) => JSON.parse(answer!).result)
    expect(new Set(hashes).size).toBe(500)
    expect(await call(node, 'eth_getTransactionCount', [COW])).toBe('0x1f4')
    expect(await call(node, 'eth_blockNumber')).toBe('0x1f4')
  })

  test('a read that arrives between two writes sees the first and not the second', async () => {
    const dispatcher = dispatcherOf(await freshNode())
    const bodies = ['evm_mine', 'eth_blockNumber', 'evm_mine', 'eth_blockNumber'].map((name) => rpc(name))
    const answers = await Promise.all(bodies.map((body) => dispatcher.answer(body, 'node33')))
    expect(answers.map((answer) => JSON.parse(answer!).result)).toEqual([null, '0x1', null, '0x2'])
  })
})

test('a batch runs in its order', async () => {
  const dispatcher = dispatcherOf(await freshNode())
  const steps = ['eth_blockNumber', 'evm_mine', 'eth_blockNumber', 'evm_reset', 'eth_blockNumber']
  const answer = await dispatcher.answer(`[${steps.map((name) => rpc(name)).join(',')}]`, 'node33')
  const results = JSON.parse(answer!).map(({ result }: { result: unknown }) => result)
  expect(results).toEqual(['0x0', null, '0x1', null, '0x0'])
})

describe('an internal error', () => {
  const faulty = writeMethod({
    name: 't_fault',
    summary: 'Fails.',
    params: [],
    result: z.null(),
    example: { params: [] },
    run: () => {
      throw new TypeError('secret of line 7')
    },
  })

  test('is reported to the operator and hidden from the client', async () => {
    const faults: unknown[] = []
    const onFault = (...told: unknown[]) => faults.push(told)
    const dispatcher = dispatcherOf(await freshNode(), { registry: new Registry([faulty]), onFault })
    const { id, error } = JSON.parse((await dispatcher.answer(rpc('t_fault'), 'node33'))!)
    const [, reference] = /^Internal error \(reference ([0-9a-f]{8})\)$/.exec(error.message)!
    expect([id, error.code]).toEqual([1, -32603])
    expect(faults).toEqual([[new TypeError('secret of line 7'), reference]])
  })

  test('releases the lock', async () => {
    const dispatcher = dispatcherOf(await freshNode(), { registry: new Registry([faulty]) })
    const answers = await Promise.all([1, 2, 3].map(() => dispatcher.answer(rpc('t_fault'), 'node33')))
    expect(answers).toHaveLength(3)
  })
})

describe('the request log', () => {
  async function entriesOf(...bodies: readonly string[]): Promise<readonly RequestLogEntry[]> {
    const entries: RequestLogEntry[] = []
    let nowMs = 0
    const options = { onRequest: (entry: RequestLogEntry) => entries.push(entry), now: () => (nowMs += 5) }
    const dispatcher = dispatcherOf(await freshNode(), options)
    for (const body of bodies) await dispatcher.answer(body, 'node33')
    return entries
  }

  test('holds method, params, duration and result', async () => {
    expect(await entriesOf(rpc('eth_getBalance', [COW1]))).toEqual([
      { method: 'eth_getBalance', params: [COW1], durationMs: 5, result: '0xc9f2c9cd04674edea40000000' },
    ])
  })

  test('holds the error of the response', async () => {
    const message = 'the method eth_nothing does not exist/is not available'
    expect(await entriesOf(rpc('eth_nothing'))).toEqual([
      { method: 'eth_nothing', params: [], durationMs: 5, error: { code: -32601, message } },
    ])
  })

  test.each([
    ['personal_importRawKey', ['0x' + 'ab'.repeat(32), 'open sesame'], undefined],
    ['personal_importRawKey', ['0xabab', 'open sesame'], -32602],
    ['personal_dumpRawKey', [COW], undefined],
    ['personal_newAccountWithSeed', ['open sesame'], undefined],
  ])('holds neither params nor result of %s %j', async (name, params, code) => {
    const [entry] = await entriesOf(rpc(name, params))
    const outcome =
      code === undefined ? { result: '(not shown)' } : { error: { code, message: '(not shown)' } }
    expect(entry).toEqual({ method: name, params: '(not shown)', durationMs: 5, ...outcome })
  })

  test.each([
    ['personal_foo', ['open sesame'], /does not exist/],
    ['personal_unlockAccount', [`0x${'11'.repeat(20)}`, 'open sesame', 5], /key|account/],
  ])('holds why %s was refused, not its params', async (name, params, message) => {
    const [entry] = await entriesOf(rpc(name, params))
    expect(entry!.params).toBe('(not shown)')
    expect(entry!.error!.message).toMatch(message)
    expect(JSON.stringify(entry)).not.toContain('sesame')
  })

  test('holds the outcome of a transaction, also of a failed one', async () => {
    const creation = { from: COW, data: reverting('0x'), gas: '0x186a0' }
    const [entry] = await entriesOf(rpc('eth_sendTransaction', [creation]))
    expect(entry!.transaction).toMatchObject({ status: 'reverted', reason: 'no reason', from: COW, to: null })
    expect(entry!.transaction).toMatchObject({ blockNumber: 1n, gasLimit: 100_000n })
  })

  test('holds notifications and every element of a batch', async () => {
    const notification = '{"jsonrpc":"2.0","method":"evm_mine"}'
    const entries = await entriesOf(notification, `[${rpc('eth_chainId')},${notification}]`)
    expect(entries.map((entry) => entry.method)).toEqual(['evm_mine', 'eth_chainId', 'evm_mine'])
  })

  test('does not change a response when the log throws', async () => {
    const faults: unknown[] = []
    const onRequest = () => {
      throw new Error('no paper left')
    }
    const options = { onRequest, onFault: (error: unknown) => faults.push(error) }
    const dispatcher = dispatcherOf(await freshNode(), options)
    expect(await dispatcher.answer(rpc('eth_chainId'), 'node33')).toBe(
      '{"jsonrpc":"2.0","id":1,"result":"0x21"}',
    )
    expect(faults).toEqual([new Error('no paper left')])
  })
})
