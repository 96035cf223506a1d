/** Instructions around that of a running function. */

import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { lineAt, lineOf, startMarket } from './market.ts'

let scene: Awaited<ReturnType<typeof startMarket>>
beforeAll(async () => void (scene = await startMarket()))
afterAll(() => scene.end())

test('the window begins relative to the instruction, and has lines and data', async () => {
  const sale = await scene.record('sell', [10])
  const step = await sale.stepAt(lineAt('return price + FEE'))
  const [own, , ...after] = await sale.ask('dev_debugCode', step, 1, 0, 20)
  const { pc } = (await sale.frames(step))[0]!
  expect(own).toMatchObject({ pc, place: { line: lineOf('return price + FEE') } })
  expect(after).toHaveLength(18)
  const around = await sale.ask('dev_debugCode', step, 1, -5, 11)
  expect(around[5]).toEqual(own)
  for (const { op, data } of around) expect(data === undefined).toBe(!/^PUSH[1-9]/.test(op))
})

test('the window of a caller is at its call', async () => {
  const filled = await scene.record('fill', [50])
  const step = await filled.stepAt(lineAt('left = first'))
  const [{ op }] = await filled.ask('dev_debugCode', step, 0, 0, 1)
  expect(op).toBe('CREATE')
})

test('there is nothing before the begin of the code and after its end', async () => {
  const sale = await scene.record('sell', [10])
  const { first } = sale.summary
  const before = await sale.ask('dev_debugCode', first, 0, -2000, 2000)
  expect(before[0].pc).toBe(0)
  expect(await sale.ask('dev_debugCode', first, 0, -100_000, 10)).toEqual([])
  expect(await sale.ask('dev_debugCode', first, 0, 100_000, 10)).toEqual([])
})
