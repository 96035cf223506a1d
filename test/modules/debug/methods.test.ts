import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { lineAt, startMarket } from './market.ts'
import type { Opened } from './market.ts'
import { call, refusal } from '../../support/node.ts'

let scene: Awaited<ReturnType<typeof startMarket>>
let sale: Opened
beforeAll(async () => {
  scene = await startMarket()
  sale = await scene.record('sell', [10])
})
afterAll(() => scene.end())

/** The message of a refusal because of the params. */
async function refused(method: string, ...params: readonly unknown[]): Promise<string> {
  const { kind, message } = await refusal(scene.node, method, params)
  expect(kind).toBe('invalidParams')
  return message
}

const NOT_OPEN = { kind: 'unknownSession', message: 'session none is not open: open it again' }

const LONG = 'a'.repeat(1001)
const MANY = Array(1001).fill({ id: 1, kind: 'call' })

/** Methods that take a session and a step, with the rest of their params. */
const AT_STEPS: readonly (readonly [method: string, ...rest: readonly unknown[]])[] = [
  ['dev_debugStack'],
  ['dev_debugVariables', 0, ['locals']],
  ['dev_debugEvaluate', 0, '1 + 1'],
  ['dev_debugMove', { kind: 'into' }],
  ['dev_debugTargets'],
  ['dev_debugCode', 0, 0, 1],
]

describe.each(AT_STEPS)('%s', (method, ...rest) => {
  test('refuses a session that is not open', async () => {
    expect(await refusal(scene.node, method, ['none', 0, ...rest])).toEqual(NOT_OPEN)
    expect(await refused(method, 7, 0, ...rest)).toMatch(
      /params\[0\] \(session\): expected the id of a session/,
    )
  })

  test('refuses steps beyond the last one, and those that are none', async () => {
    const { session, steps } = sale.summary
    const beyond = `there is no step ${steps}: the execution has ${steps} instructions`
    expect(await refused(method, session, steps, ...rest)).toBe(beyond)
    for (const step of [-1, 1.5, '0x1', null, 1e300])
      expect(await refused(method, session, step, ...rest)).toMatch(
        /^params\[1\] \(step\): expected an integer/,
      )
  })
})

describe.each(AT_STEPS.filter(([, frame]) => frame === 0))('%s', (method, _frame, ...rest) => {
  test('refuses a function that does not run', async () => {
    const { session, first } = sale.summary
    const message = `at step ${first} there is no function 9: 2 run`
    expect(await refused(method, session, first, 9, ...rest)).toBe(message)
    expect(await refused(method, session, first, -1, ...rest)).toMatch(
      /^params\[2\] \(frame\): expected an integer/,
    )
  })
})

describe('dev_debugOpen', () => {
  test.each([
    [{}],
    [null],
    ['last'],
    [{ transaction: '0x12' }],
    [{ failure: 0 }],
    [{ failure: 'first' }],
    [{ transaction: `0x${'11'.repeat(32)}`, failure: 'last' }],
    [{ call: 5 }],
    [{ failure: 'last', block: 'latest' }],
    [{ call: {}, other: 1 }],
  ])('refuses the target %j', async (target) => {
    expect(await refused('dev_debugOpen', target)).toMatch(/^params\[0\](\.\w+)* \(target\): expected /)
  })

  test('refuses a call on a block that is not there', async () => {
    const target = { call: { to: scene.market }, block: '0xffff' }
    await expect(call(scene.node, 'dev_debugOpen', [target])).rejects.toThrow('Block 0xffff not found')
  })
})

describe('dev_debugVariables', () => {
  test.each([[[]], ['locals'], [[1]], [Array(65).fill('locals')], [null]])(
    'refuses the path %#',
    async (path) => {
      const { session, first } = sale.summary
      expect(await refused('dev_debugVariables', session, first, 0, path)).toMatch(
        /^params\[3\](\[0\])? \(path\): expected a list of names, which begins with that of a scope/,
      )
    },
  )

  test('lists the parts of the value of an expression', async () => {
    const step = await sale.stepAt(lineAt('emit Sold'))
    const parts = await sale.ask('dev_debugVariables', step, 0, ['expression', 'order'])
    expect(parts.map(({ name }: { name: string }) => name)).toEqual(['id', 'buyer'])
    expect(await refused('dev_debugVariables', sale.summary.session, step, 0, ['expression', '('])).toMatch(
      /./,
    )
  })
})

describe('dev_debugEvaluate', () => {
  test('refuses what is no text, and texts that are too long', async () => {
    const { session, first } = sale.summary
    expect(await refused('dev_debugEvaluate', session, first, 0, 5)).toMatch(/expected an expression/)
    expect(await refused('dev_debugEvaluate', session, first, 0, LONG)).toMatch(
      /expected at most 1000 characters/,
    )
  })
})

describe('dev_debugMove', () => {
  test.each([
    [{ kind: 'jump' }, 'params[2].kind (motion): expected into, over, out, instruction or run'],
    [{ kind: 'into', direction: 'up' }, 'params[2].direction (motion): expected forwards or backwards'],
    [
      { kind: 'run', breakpoints: [{ id: 1, kind: 'line' }] },
      'params[2].breakpoints[0].path (motion): expected a text',
    ],
    [
      { kind: 'run', breakpoints: [{ id: 1, kind: 'hope' }] },
      'params[2].breakpoints[0].kind (motion): expected a breakpoint of the kind line',
    ],
    [null, 'params[2] (motion): '],
    [{ kind: 'into', speed: 1 }, 'params[2] (motion): '],
  ])('refuses %j', async (motion, message) => {
    const { session, first } = sale.summary
    expect(await refused('dev_debugMove', session, first, motion)).toContain(message)
  })
})

describe('dev_debugBreakpoints', () => {
  test('refuses too many, and those of no kind', async () => {
    expect(await refused('dev_debugBreakpoints', MANY)).toMatch(/expected at most 1000 breakpoints/)
    expect(await refused('dev_debugBreakpoints', [{ id: 1, kind: 'hope' }])).toMatch(/^params\[0\]/)
    const line = { ...lineAt('emit Sold'), condition: LONG }
    expect(await refused('dev_debugBreakpoints', [line])).toMatch(/expected at most 1000 characters/)
  })
})

describe('dev_debugCode', () => {
  test('refuses too many instructions', async () => {
    const { session, first } = sale.summary
    expect(await refused('dev_debugCode', session, first, 0, 0, 2001)).toMatch(
      /expected at most 2000 instructions/,
    )
    expect(await refused('dev_debugCode', session, first, 0, 0.5, 1)).toMatch(/^params\[3\]/)
  })
})

describe('dev_debugSources', () => {
  test('has the sources of the contracts that ran', async () => {
    const sources = await call(scene.node, 'dev_debugSources', [sale.summary.session])
    expect(JSON.stringify(sources)).toContain('function factorial')
    expect(await refusal(scene.node, 'dev_debugSources', ['none'])).toEqual(NOT_OPEN)
  })
})

describe('dev_debugTargets', () => {
  test('has none for a statement that calls nothing', async () => {
    expect(await sale.ask('dev_debugTargets', await sale.stepAt(lineAt('id = order.id')))).toEqual([])
  })
})
