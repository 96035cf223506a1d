/** A transaction of 400,000 instructions: it opens in linear time, and a step takes a small part of that. */

import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { cpuMs } from '../../support/cpu-time.ts'
import { startMarket } from '../../support/market.ts'
import type { Opened } from '../../support/market.ts'

let scene: Awaited<ReturnType<typeof startMarket>>
beforeAll(async () => void (scene = await startMarket()))
afterAll(() => scene.end())

const median = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[times.length >> 1]!

/** Processor time of some work, in milliseconds. */
async function cpuTime(work: () => Promise<void>): Promise<number> {
  const before = cpuMs()
  await work()
  return cpuMs() - before
}

/** Opens a transaction of some rounds; milliseconds of opening it, and of a motion with its stack and local variables. */
async function timesOf(rounds: number): Promise<{ opened: Opened; open: number; step: number }> {
  const hash = await scene.send('bill', [rounds], { gas: '0xf42400' })
  let opened: Opened
  const open = await cpuTime(async () => void (opened = await scene.open({ transaction: hash })))
  const { first, last } = opened!.summary
  const steps: number[] = []
  for (let index = 0; index < 40; index++) {
    const from = Math.floor(first + ((last - first) * index) / 40)
    for (const kind of ['into', 'over', 'out'] as const)
      for (const direction of ['forwards', 'backwards'])
        steps.push(
          await cpuTime(async () => {
            const { step } = await opened.move(from, kind, { direction })
            await opened.values(step, ['locals'])
          }),
        )
  }
  return { opened: opened!, open, step: median(steps) }
}

test('opens in linear time, and steps in a fiftieth of it', async () => {
  await timesOf(100)
  const small = await timesOf(176)
  const large = await timesOf(1760)
  expect(large.opened.summary.steps).toBeGreaterThan(400_000)
  expect(large.open).toBeLessThan(30 * small.open)
  expect(large.step).toBeLessThan(large.open / 50)
  expect(large.step).toBeLessThan(20 * small.step)
})
