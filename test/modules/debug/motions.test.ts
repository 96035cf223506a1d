/** Motions from statement to statement, forwards and backwards. */

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { DebugSession } from '../../../lib/modules/debug/debug-session.ts'
import { compiledMarket, lineAt, lineOf, sessionOf, startMarket } from './market.ts'
import type { Opened } from './market.ts'

let scene: Awaited<ReturnType<typeof startMarket>>
beforeAll(async () => {
  scene = await startMarket()
  await scene.send('fill', [50])
})
afterAll(() => scene.end())

type Direction = 'forwards' | 'backwards'

const moved = (session: DebugSession, step: number, kind: 'into' | 'over' | 'out', direction: Direction) =>
  session.move(step, { kind, direction, breakpoints: [] })

/** The steps of a motion until nothing more is met. */
async function walk(session: DebugSession, from: number, kind: 'into' | 'over', direction: Direction) {
  const steps = [from]
  for (;;) {
    const { step, reason } = await moved(session, steps.at(-1)!, kind, direction)
    if (reason !== 'step') return steps
    steps.push(step)
  }
}

const EXECUTIONS: readonly (readonly [string, () => Promise<Opened>])[] = [
  ['a creation', () => scene.open({ transaction: scene.created })],
  ['a sale with a modifier and a library', () => scene.record('sell', [10])],
  ['a creation within', () => scene.record('fill', [50])],
  ['a caught revert', () => scene.record('tryTake', [100])],
  ['an uncaught revert', () => scene.record('take', [100])],
  ['a recursion', () => scene.record('factorialPaid', [5])],
  ['a loop', () => scene.record('count', [6])],
  ['assembly and a call of itself', () => scene.record('pass', [5])],
  ['a proxy', async () => scene.record('sell', [1], { to: await scene.deploy('Proxy', [scene.market]) })],
]

describe.each(EXECUTIONS)('%s', (_title, run) => {
  let session: DebugSession
  beforeAll(async () => void (session = await sessionOf(scene.node, await run())))

  test('visits every statement in order, and backwards in the opposite order', async () => {
    const { visits } = session.activations
    const steps = visits.map(({ step }) => step)
    const { first, last } = session.summary()
    expect(await walk(session, first, 'into', 'forwards')).toEqual(steps.filter((step) => step <= last))
    expect(steps.length).toBeGreaterThan(3)
    const backwards = await walk(session, steps.at(-1)!, 'into', 'backwards')
    expect(backwards.toReversed()).toEqual(steps)
  })

  test('over stays in the function or leaves it, and comes back to the same statement or one before', async () => {
    const { activations } = session
    for (const { step, activation } of activations.visits) {
      const next = await moved(session, step, 'over', 'forwards')
      if (next.reason !== 'step') continue
      expect(next.step).toBeGreaterThan(step)
      expect(activations.at(next.step)!.depth).toBeLessThanOrEqual(activation.depth)
      const back = await moved(session, next.step, 'over', 'backwards')
      expect(back.step).toBeLessThanOrEqual(step)
      const again = await moved(session, next.step, 'into', 'backwards')
      expect(again.step).toBeGreaterThanOrEqual(step)
      expect(again.step).toBeLessThan(next.step)
    }
  })

  test('out leaves the function, in both directions', async () => {
    const { activations } = session
    for (const { step, activation } of activations.visits) {
      for (const direction of ['forwards', 'backwards'] as const) {
        const { step: outside, reason } = await moved(session, step, 'out', direction)
        if (reason !== 'step') continue
        expect(Math.sign(outside - step)).toBe(direction === 'forwards' ? 1 : -1)
        expect(activations.at(outside)!.depth).toBeLessThan(activation.depth)
      }
    }
  })
})

describe('a motion', () => {
  test('over a statement passes the functions that it calls, and out returns to it', async () => {
    const sale = await scene.record('sell', [10])
    const calling = await sale.stepAt(lineAt('withFee(price)'))
    const over = await sale.move(calling, 'over')
    expect(await sale.lineAt(over.step)).toBe(lineOf('total.plus(whole)'))
    const inside = await sale.move(calling, 'into')
    expect(await sale.lineAt(inside.step)).toBe(lineOf('return price + FEE'))
    const outside = await sale.move(inside.step, 'out')
    expect(await sale.shown(outside.step)).toEqual([`Market.sell:${lineOf('withFee(price)')}`])
    expect((await sale.back(inside.step, 'out')).step).toBe(calling)
    expect((await sale.back(over.step, 'over')).step).toBe(calling)
  })

  test('over the statements of a modifier goes through the body of its function, also by the IR pipeline', async () => {
    const other = await startMarket({}, compiledMarket({ viaIR: true }))
    const sale = await other.record('sell', [10])
    const modifier = await sale.stepAt(lineAt('require(msg.sender == owner'))
    const body = await sale.move(modifier, 'over')
    expect(await sale.lineAt(body.step)).toBe(lineOf('Order memory order'))
    expect(await sale.back(body.step, 'over')).toMatchObject({ step: modifier })
    const last = await sale.stepAt(lineAt('id = order.id'))
    const after = await sale.move(last, 'over')
    expect(await sale.lineAt(after.step)).toBe(lineOf('rank++'))
    expect(await sale.move(last, 'out')).toMatchObject({ reason: 'end' })
    await other.end()
  })

  test('ends at the ends of the execution', async () => {
    const sale = await scene.record('sell', [10])
    const { first, last } = sale.summary
    expect(await sale.move(first, 'run')).toMatchObject({ step: last, reason: 'end' })
    expect(await sale.back(last, 'run')).toMatchObject({ step: first, reason: 'start' })
    expect(await sale.back(0, 'instruction')).toMatchObject({ step: 0 })
    expect(await sale.move(last, 'instruction')).toMatchObject({ step: last })
  })

  test('over a statement stops at a breakpoint within', async () => {
    const sale = await scene.record('sell', [10])
    const calling = await sale.stepAt(lineAt('withFee(price)'))
    const breakpoints = [lineAt('return price + FEE')]
    const stop = await sale.move(calling, 'over', { breakpoints })
    expect(stop).toMatchObject({ reason: 'breakpoint', breakpoints: [1] })
    expect(await sale.lineAt(stop.step)).toBe(lineOf('return price + FEE'))
  })
})

describe('the functions that a statement enters', () => {
  test('are listed in order, with their first statements', async () => {
    const filled = await scene.record('fill', [50])
    const step = await filled.stepAt(lineAt('new Purse'))
    const [target, ...others] = await filled.ask('dev_debugTargets', step)
    expect(target).toMatchObject({ name: 'Purse.constructor', place: { line: lineOf('left = first') } })
    expect(others).toEqual([])
    expect(await filled.lineAt(target.step)).toBe(lineOf('left = first'))
  })

  test('are none of the functions within them', async () => {
    const recursion = await scene.record('factorialPaid', [4])
    const targets = await recursion.ask('dev_debugTargets', recursion.summary.first)
    expect(targets.map(({ name }: { name: string }) => name)).toEqual(['Market.factorial'])
  })
})
