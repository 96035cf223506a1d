/** The running functions at a step, with their lines. */

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { compiledMarket, lineAt, lineOf, startMarket } from './market.ts'
import type { Opened } from './market.ts'

let scene: Awaited<ReturnType<typeof startMarket>>
beforeAll(async () => void (scene = await startMarket()))
afterAll(() => scene.end())

/** The stack at the first visit of the line with a text. */
const stackAt = async (opened: Opened, text: string, after?: string) =>
  opened.shown(await opened.stepAt(lineAt(text, after)))

describe('the stack', () => {
  test('has internal functions and those of libraries above their callers', async () => {
    const sale = await scene.record('sell', [10])
    const called = `Market.sell:${lineOf('withFee(price)')}`
    expect(await stackAt(sale, 'return price + FEE')).toEqual([
      `Market.withFee:${lineOf('return price + FEE')}`,
      called,
    ])
    expect(await stackAt(sale, 'sum = a + b')).toEqual([
      `Sums.plus:${lineOf('sum = a + b')}`,
      `Market.sell:${lineOf('total.plus(whole)')}`,
    ])
  })

  test('has a modifier above the function that uses it, before and after its body', async () => {
    const sale = await scene.record('sell', [10])
    expect(await stackAt(sale, 'require(msg.sender == owner')).toEqual([
      `Owned.onlyOwner:${lineOf('require(msg.sender == owner')}`,
      `Market.sell:${lineOf('function sell')}`,
    ])
    expect(await stackAt(sale, 'rank++')).toEqual([
      `Owned.onlyOwner:${lineOf('rank++')}`,
      `Market.sell:${lineOf('id = order.id')}`,
    ])
  })

  test('has the constructors of base contracts', async () => {
    const creation = await scene.open({ transaction: scene.created })
    const step = await creation.stepAt(lineAt('title = given'))
    expect(await creation.frames(step)).toMatchObject([{ name: 'Named.constructor', kind: 'constructor' }])
    expect(await stackAt(creation, 'rank = first')).toEqual([`Owned.constructor:${lineOf('rank = first')}`])
    expect(await stackAt(creation, 'total = 1')).toEqual([`Market.constructor:${lineOf('total = 1')}`])
  })

  test('has a function for each level of a recursion', async () => {
    const recursion = await scene.record('factorialPaid', [4])
    const step = await recursion.stepAt({ ...lineAt('return 1'), hitCondition: '4' })
    const names = (await recursion.frames(step)).map(({ name }) => name)
    expect(names).toEqual([...Array(4).fill('Market.factorial'), 'Market.factorialPaid'])
    const frames = await recursion.frames(step)
    expect(frames.map(({ frame }) => frame)).toEqual([4, 3, 2, 1, 0])
    expect(frames.map(({ isExternal }) => isExternal)).toEqual([false, false, false, false, true])
  })

  test('has a created contract, then its called function, above those of the caller', async () => {
    const filled = await scene.record('fill', [10], { value: '0x5' })
    expect(await stackAt(filled, 'left = first')).toEqual([
      `Purse.constructor:${lineOf('left = first')}`,
      `Market.fill:${lineOf('new Purse')}`,
    ])
    const taken = await filled.frames(await filled.stepAt(lineAt('left = 99')))
    expect(taken.map(({ name, isExternal }) => [name, isExternal])).toEqual([
      ['Purse.take', true],
      ['Market.fill', true],
    ])
    expect(taken[0]!.address).not.toBe(taken[1]!.address)
  })

  test('has a proxy below the code that runs for it, on its account', async () => {
    const proxy = await scene.deploy('Proxy', [scene.market])
    const sale = await scene.record('sell', [10], { to: proxy })
    const frames = await sale.frames(await sale.stepAt(lineAt('return price + FEE')))
    expect(frames.map(({ name }) => name)).toEqual(['Market.withFee', 'Market.sell', 'Proxy.fallback'])
    expect(new Set(frames.map(({ address }) => address))).toEqual(new Set([proxy]))
  })

  test('tells the failure at its step, and whether it is caught', async () => {
    await scene.send('fill', [10])
    const caught = await scene.record('tryTake', [100])
    const step = await caught.stepAt({ id: 1, kind: 'revert', which: 'all' })
    expect(await caught.ask('dev_debugStack', step)).toMatchObject({
      op: 'REVERT',
      exception: { isCaught: true, reason: expect.stringContaining('TooPoor') },
    })
    expect((await caught.shown(step)).at(-1)).toBe(`Market.tryTake:${lineOf('try purse.take')}`)
    expect(await stackAt(caught, 'total = reason.length')).toEqual([
      `Market.tryTake:${lineOf('total = reason.length')}`,
    ])
    const uncaught = await scene.record('take', [100])
    expect(await uncaught.ask('dev_debugStack', uncaught.summary.failure)).toMatchObject({
      exception: { isCaught: false },
    })
  })

  test('has the address of code without sources', async () => {
    const returning = '0x600b600c5f39600b5ff360015f5260205ff300000000'
    const { node, user } = scene
    const call = { from: user, data: returning }
    const opened = await scene.open({ call })
    expect(await opened.frames(0)).toMatchObject([
      { kind: 'unknown', name: expect.stringMatching(/^0x.*unknown contract/) },
    ])
    expect(opened.summary).toMatchObject({ first: 0, status: 'success' })
    expect(node).toBeDefined()
  })
})

describe.each([
  ['the optimizer', { optimizer: { enabled: true, runs: 200 } }],
  ['the IR pipeline', { viaIR: true }],
])('the stack of code by %s', (_title, settings) => {
  test('has no function twice, nor the code around functions', async () => {
    const other = await startMarket({}, compiledMarket(settings))
    const sale = await other.record('sell', [10])
    const called = `Market.sell:${lineOf('withFee(price)')}`
    expect(await stackAt(sale, 'withFee(price)')).toEqual([called])
    expect(await stackAt(sale, 'return price + FEE')).toEqual([
      `Market.withFee:${lineOf('return price + FEE')}`,
      called,
    ])
    expect(await sale.frames(await sale.stepAt(lineAt('withFee(price)')))).toMatchObject([
      { isExternal: true },
    ])
    const before = await sale.stepAt(lineAt('require(msg.sender == owner'))
    expect(await sale.shown(before)).toEqual([
      `Owned.onlyOwner:${lineOf('require(msg.sender == owner')}`,
      `Market.sell:${lineOf('function sell')}`,
    ])
    await other.end()
  })
})
