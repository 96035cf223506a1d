/** Prestates and their differences. That a prestate is enough for a replay is tested in replay.test.ts. */

import { expect, test } from '@jest/globals'
import { toHex, toQuantity } from '../../../lib/base/hex.ts'
import type { StateRoot } from '../../../lib/state/state-root.ts'
import { call, freshNode } from '../../support/node.ts'
import { COW } from '../../support/signing.ts'
import { EVERYTHING, HEIR, tracedNode } from '../../support/tracing.ts'

const ZERO = `0x${'00'.repeat(32)}`

/** Every account of a state in the format of the tracer. */
function accountsOf(state: StateRoot): ReadonlyMap<string, Record<string, unknown>> {
  return new Map(
    [...state.accounts()].map(([address, { balance, nonce, code, storage }]) => [
      address,
      {
        balance: toQuantity(balance),
        nonce: Number(nonce),
        code: toHex(code),
        storage: Object.fromEntries(
          [...storage.entries()].map(([, { slot, value }]) => [
            slot,
            `0x${toHex(value).slice(2).padStart(64, '0')}`,
          ]),
        ),
      },
    ]),
  )
}

/** The difference of two states: the changed accounts before, and their changed members after. */
function difference(before: StateRoot, after: StateRoot) {
  const [old, now] = [accountsOf(before), accountsOf(after)]
  const pre: Record<string, object> = {}
  const post: Record<string, object> = {}
  for (const address of new Set([...old.keys(), ...now.keys()])) {
    const nothing = { balance: '0x0', nonce: 0, code: '0x', storage: {} }
    const was = (old.get(address) ?? nothing) as typeof nothing
    const is = (now.get(address) ?? nothing) as typeof nothing
    if (JSON.stringify(was) === JSON.stringify(is)) continue
    const slots = [...new Set([...Object.keys(was.storage), ...Object.keys(is.storage)])]
    const wordIn = (storage: Record<string, string>, slot: string) => storage[slot] ?? ZERO
    const changed = slots.filter((slot) => wordIn(was.storage, slot) !== wordIn(is.storage, slot))
    // Slots with the value zero are left out.
    const words = (storage: Record<string, string>) => {
      const held = changed.filter((slot) => wordIn(storage, slot) !== ZERO)
      return held.length === 0
        ? {}
        : { storage: Object.fromEntries(held.map((slot) => [slot, storage[slot]])) }
    }
    if (old.has(address)) {
      pre[address] = {
        balance: was.balance,
        ...(was.nonce === 0 ? {} : { nonce: was.nonce }),
        ...(was.code === '0x' ? {} : { code: was.code }),
        ...(now.has(address) ? words(was.storage) : {}),
      }
    }
    if (!now.has(address)) continue
    post[address] = {
      ...(was.balance === is.balance ? {} : { balance: is.balance }),
      ...(was.nonce === is.nonce ? {} : { nonce: is.nonce }),
      ...(was.code === is.code ? {} : { code: is.code }),
      ...words(is.storage),
    }
  }
  return { pre, post }
}

test.each(EVERYTHING)('diffMode of %s(%j) is the difference of the states', async (name, args, value) => {
  const { node, send, trace } = await tracedNode()
  await send('fill', [0n, 4n])
  const before = node.chain.head.state
  const hash = await send(name, args, value)
  const { pre, post } = await trace(hash, { tracer: 'prestateTracer', tracerConfig: { diffMode: true } })
  const expected = difference(before, node.chain.head.state)
  expect(post).toEqual(expected.post)
  // An absent account is shown with balance 0, unless the transaction created it.
  const shown = Object.entries(pre as object).filter(
    ([, account]) => JSON.stringify(account) !== '{"balance":"0x0"}',
  )
  expect(Object.fromEntries(shown)).toEqual(expected.pre)
})

test('has the accounts that a transaction read, with their state before it and without created ones', async () => {
  const { tracer, send, trace } = await tracedNode()
  const hash = await send('create', [9n, ZERO], 2)
  const accounts = await trace(hash, { tracer: 'prestateTracer', tracerConfig: { disableCode: true } })
  expect(Object.keys(accounts).length).toBe(3)
  // A contract that a transaction made begins with nonce 0 (node-chain 9.4).
  expect(accounts[tracer]).toEqual({ balance: '0x64', nonce: 1 })
  const withEmpty = await trace(hash, { tracer: 'prestateTracer', tracerConfig: { includeEmpty: true } })
  expect(Object.keys(withEmpty).length).toBe(4)
})

test('has the difference of a call', async () => {
  const { node, tracer, dataOf } = await tracedNode()
  const transaction = { to: tracer, data: dataOf('fill', [0n, 1n]) }
  const options = { tracer: 'prestateTracer', tracerConfig: { diffMode: true } }
  const { post } = await call(node, 'debug_traceCall', [transaction, 'latest', options])
  expect(Object.values(post[tracer].storage)).toEqual([`0x${'00'.repeat(31)}01`])
  expect(await call(node, 'eth_getTransactionCount', [COW])).toBe('0x1')
})

test.each(['cancun', 'prague'] as const)('shows a precompile that is called, on %s', async (hardfork) => {
  const { node, send, trace } = await tracedNode({ network: 'ethereum', hardfork })
  const accounts = await trace(await send('fail', [1n]), { tracer: 'prestateTracer' })
  expect(accounts[`0x${'00'.repeat(19)}02`]).toEqual({ balance: '0x0' })
  await node.close()
})

test('has the accounts that a system transaction pays', async () => {
  const node = await freshNode({ systemTransaction: true, mining: false })
  const [from] = (await call(node, 'eth_accounts')) as string[]
  await node.miner.mineMany(4n)
  await call(node, 'eth_sendTransaction', [{ from, to: HEIR, gas: '0x5208', gasPrice: '0x3b9aca00' }])
  await node.miner.mineMany(11n)
  const { header, receipts } = node.chain.head.block
  const options = { tracer: 'prestateTracer', tracerConfig: { diffMode: true } }
  const { post } = await call(node, 'debug_traceTransaction', [receipts[0]!.transaction.hash, options])
  const paid = receipts[0]!.outcome.logs.map(({ topics }) => `0x${topics[1]!.slice(26)}`)
  const { miner } = await call(node, 'eth_getBlockByNumber', ['0x5', false])
  expect(header.number).toBe(15n)
  expect(paid).toContain(miner)
  expect(Object.keys(post)).toEqual(expect.arrayContaining(paid))
})
