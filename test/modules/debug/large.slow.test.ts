/** A transaction of hundreds of thousands of instructions: it opens in linear time, and a step takes a small part of that. */

import { expect, test } from '@jest/globals'
import { cpuMs } from '../../support/cpu-time.ts'
import { compiledMarket, startMarket } from './market.ts'
import type { MarketScene, Opened } from './market.ts'

const median = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[times.length >> 1]!

/** Processor time of some work, in milliseconds. */
async function cpuTime(work: () => Promise<void>): Promise<number> {
  const before = cpuMs()
  await work()
  return cpuMs() - before
}

/** Opens a transaction of some rounds; milliseconds of opening it, and of a motion with its stack and local variables. */
async function timesOf(
  scene: MarketScene,
  rounds: number,
): Promise<{ opened: Opened; open: number; step: number }> {
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

test.each([
  ['without the optimizer', {}, 400_000],
  ['with the optimizer', { optimizer: { enabled: true, runs: 200 } }, 240_000],
])('opens in linear time, and steps in a fiftieth of it, %s', async (_case, settings, steps) => {
  const scene = await startMarket({}, compiledMarket(settings))
  await timesOf(scene, 100)
  const small = await timesOf(scene, 176)
  const large = await timesOf(scene, 1760)
  await scene.end()
  expect(large.opened.summary.steps).toBeGreaterThan(steps)
  expect(large.open).toBeLessThan(30 * small.open)
  expect(large.step).toBeLessThan(large.open / 50)
  expect(large.step).toBeLessThan(20 * small.step)
})
