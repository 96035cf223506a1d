/** What is recorded: transactions, failures, calls and estimates, also on a fork, and how much of it is kept. */

import { join } from 'node:path'
import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { hash as parsedHash } from '../../../lib/schema/wire.ts'
import { DebugSessions } from '../../../lib/modules/debug/debug-sessions.ts'
import type { DebugLimits } from '../../../lib/modules/debug/debug-sessions.ts'
import { Debugger } from '../../../lib/modules/debug/debugger.ts'
import { withFork } from '../../support/forked-node.ts'
import { dataOf, lineAt, lineOf, marketArtifacts, marketOn, Opened, startMarket } from './market.ts'
import { call, refusal } from '../../support/node.ts'
import { answerOf, withServer } from '../../support/server.ts'

let scene: Awaited<ReturnType<typeof startMarket>>
beforeAll(async () => {
  scene = await startMarket()
  await scene.send('fill', [50])
})
afterAll(() => scene.end())

/** A debugger of the same chain with other limits. */
async function limited(limits: Partial<DebugLimits>) {
  const { node } = scene
  const sessions = new DebugSessions('limited', limits)
  const debug = new Debugger({ ...node, contracts: node.knownContracts }, sessions)
  const record = async (name: string, given: readonly unknown[]) => {
    const { entry, receipt } = node.chain.receipt(parsedHash.parse(await scene.send(name, given)))!
    return debug.mined(entry, receipt)
  }
  return { sessions, record }
}

describe('a recording', () => {
  test('of the same transaction is the same one', async () => {
    const hash = await scene.send('count', [1])
    const { session } = (await scene.open({ transaction: hash })).summary
    expect((await scene.open({ transaction: hash })).summary.session).toBe(session)
  })

  test('is dropped when there are eight newer ones', async () => {
    const first = await scene.record('count', [1])
    for (let count = 2; count < 9; count++) await scene.record('count', [count])
    expect((await first.frames(0)).length).toBe(1)
    await scene.record('count', [9])
    expect(await refusal(scene.node, 'dev_debugStack', [first.summary.session, 0])).toEqual({
      kind: 'unknownSession',
      message: `session ${first.summary.session} is not open: open it again`,
    })
  })

  test('is dropped when the newer ones have too many instructions, but not while a request waits', async () => {
    const { sessions, record } = await limited({ steps: 1000 })
    const held = await record('count', [1])
    held.isHeld = true
    const small = await record('count', [2])
    const large = await record('count', [100])
    expect(large.recording.length).toBeGreaterThan(1000)
    expect(sessions.get(large.id)).toBe(large)
    expect(sessions.get(held.id)).toBe(held)
    expect(() => sessions.get(small.id)).toThrow(`session ${small.id} is not open`)
  })

  test('ends at a number of instructions, and says so', async () => {
    const { record } = await limited({ recorded: 700 })
    const session = await record('count', [100])
    expect(session.summary()).toMatchObject({ steps: 700, last: 699, status: 'success', isCut: true })
    expect(await session.move(0, { kind: 'run', direction: 'forwards', breakpoints: [] })).toMatchObject({
      step: 699,
      reason: 'end',
    })
    expect(session.stack(699).frames).toMatchObject([{ name: 'Market.count' }])
    expect((await session.evaluate(699, 0, 'times')).value).toBe('100')
  })

  test('that is cut within a call does not say that it fails there', async () => {
    const { record } = await limited({ recorded: 400 })
    const session = await record('take', [1000])
    expect(session.summary()).toMatchObject({ steps: 400, last: 399, status: 'reverted', failure: undefined })
    expect(session.stack(399).exception).toBeUndefined()
    expect(session.stack(399).frames).toMatchObject([{ name: 'Purse.take' }, { name: 'Market.take' }])
  })

  test('of an execution without code has no instruction', async () => {
    const transfer = { from: scene.user, to: scene.user, value: '0x1' }
    const hash = await call(scene.node, 'eth_sendTransaction', [transfer])
    const opened = await scene.open({ transaction: hash })
    expect(opened.summary).toMatchObject({ steps: 0, first: 0, last: 0, status: 'success' })
    expect(await opened.frames(0)).toEqual([])
    expect(await opened.move(0, 'into')).toMatchObject({ step: 0, reason: 'end' })
  })
})

describe('a failure', () => {
  test('of a transaction is found by its id, as the last one, and by its hash', async () => {
    const taken = await scene.record('take', [1000])
    expect(taken.summary).toMatchObject({ status: 'reverted', reason: expect.stringContaining('TooPoor') })
    expect(await taken.lineAt(taken.summary.failure!)).toBe(lineOf('revert TooPoor'))
    const [{ id }] = await call(scene.node, 'dev_failures')
    for (const failure of [id, 'last']) expect((await scene.open({ failure })).summary).toEqual(taken.summary)
  })

  test('of a call and of an estimate is recorded on the state that they ran on, also after a revert', async () => {
    const snapshot = await call(scene.node, 'evm_snapshot')
    await scene.send('fill', [5])
    for (const method of ['eth_call', 'eth_estimateGas']) {
      const request = { from: scene.user, to: scene.market, data: dataOf('take', 6) }
      await refusal(scene.node, method, [request])
    }
    const [{ id: estimate }, { id: called }] = await call(scene.node, 'dev_failures')
    await call(scene.node, 'evm_revert', [snapshot])
    for (const failure of [estimate, called]) {
      const opened = await scene.open({ failure })
      expect(opened.summary.status).toBe('reverted')
      expect(opened.summary).not.toHaveProperty('hash')
      const step = await opened.stepAt(lineAt('revert TooPoor'))
      expect(await opened.evaluate(step, 'before')).toBe('4')
    }
  })
})

test('a call is recorded on the block that it names, and leaves nothing', async () => {
  const { node, user, market } = scene
  const block = await call(node, 'eth_blockNumber')
  const before = await call(node, 'eth_getStorageAt', [market, '0x2', 'latest'])
  await scene.send('count', [30])
  const request = { from: user, to: market, data: dataOf('sell', 10) }
  const opened = await scene.open({ call: request, block })
  expect(await opened.evaluate(opened.summary.first, 'total')).toBe(String(Number(before)))
  expect(await call(node, 'eth_getStorageAt', [market, '0x2', 'latest'])).toBe(`0x${'0'.repeat(61)}1b3`)
})

test('a fork loads what is asked for: what the execution did not touch, and old transactions', async () => {
  const folder = await marketArtifacts()
  const artifacts = [join(folder, 'artifacts')]
  try {
    await withServer({ network: 'ethereum', noArtifacts: true }, async ({ url, port }) => {
      const remote = await marketOn(
        async (method, params = []) => (await answerOf(url, method, params)).result,
      )
      await remote.send('count', [5])
      const old = await remote.send('sell', [10])
      await withFork({ port }, { artifacts }, async ({ node, asked }) => {
        const ask = (method: string, params: readonly unknown[] = []) => call(node, method, params)
        const open = async (target: object) => new Opened(ask, await ask('dev_debugOpen', [target]))
        const request = { from: remote.user, to: remote.market, data: dataOf('factorial', 4) }
        const called = await open({ call: request })
        asked()
        expect(await called.evaluate(called.summary.first, 'total + rank')).toBe('31')
        expect(asked()).not.toEqual([])
        expect(await called.evaluate(called.summary.first, 'this.paid(msg.sender)')).toBe('13')
        const sale = await open({ transaction: old })
        const step = await sale.stepAt(lineAt('emit Sold'))
        expect(await sale.values(step, ['state'])).toMatchObject({ total: '23', title: '"market"' })
      })
    })
  } finally {
    await rm(folder, { recursive: true })
  }
})
