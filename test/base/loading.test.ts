import { expect, test } from '@jest/globals'
import { isLoaded, loadFor, untilLoaded, whenLoaded } from '../../lib/base/loading.ts'
import { NotLoadedError } from '../../lib/base/not-loaded.ts'
import { PausedRoutine, begin, runWithPauses } from '../../lib/base/routine.ts'
import type { Routine } from '../../lib/base/routine.ts'

/** Data by name, and the names in the order in which their loading began; `broken` cannot be loaded. */
function dataStore() {
  const loaded = new Set<string>()
  const loads: string[] = []
  const read = (name: string): string => {
    if (loaded.has(name)) return name
    throw new NotLoadedError(name, async () => {
      loads.push(name)
      await Promise.resolve()
      if (name === 'broken') throw new Error('broken cannot be loaded')
      loaded.add(name)
    })
  }
  return { read, loads }
}

test('loadFor loads together what several reads need, and reads again until nothing is missing', async () => {
  const { read, loads } = dataStore()
  const rounds: number[] = []
  const reads = [() => read('a'), () => `${read('b')}${read('c')}`, () => 'nothing']
  const routine = loadFor(reads)
  for (let step = routine.next(); step.done !== true; step = routine.next()) {
    rounds.push(loads.length)
    await step.value
  }
  expect(loads).toEqual(['a', 'b', 'c'])
  expect(rounds).toEqual([2, 3])
  expect(begin(loadFor(reads))).toBeUndefined()
})

test('whenLoaded runs a routine again after each load, and at once without one', async () => {
  const { read, loads } = dataStore()
  let runs = 0
  function* work(): Routine<string> {
    runs++
    const first = read('a')
    yield Promise.resolve()
    return `${first}${read('b')}`
  }
  expect(await runWithPauses(whenLoaded(work))).toBe('ab')
  expect({ runs, loads }).toEqual({ runs: 3, loads: ['a', 'b'] })
  expect(
    begin(
      whenLoaded(function* (): Routine<number> {
        return 1
      }),
    ),
  ).toBe(1)
  expect(begin(whenLoaded(work))).toBeInstanceOf(PausedRoutine)
})

test('untilLoaded runs functions again after each load, whether they are asynchronous or not', async () => {
  const { read, loads } = dataStore()
  expect(await untilLoaded(() => `${read('a')}${read('b')}`)).toBe('ab')
  expect(await untilLoaded(async () => `${read('a')}${read('c')}`)).toBe('ac')
  expect(loads).toEqual(['a', 'b', 'c'])
})

test('isLoaded tells what is in memory, and loads nothing', () => {
  const { read, loads } = dataStore()
  expect([isLoaded(() => read('a')), isLoaded(() => 1), loads]).toEqual([false, true, []])
})

const failing = () => {
  throw new Error('a fault of the work')
}

test.each<[string, (read: () => unknown) => Promise<unknown>]>([
  ['loadFor', (read) => runWithPauses(loadFor([read]))],
  [
    'whenLoaded',
    (read) =>
      runWithPauses(
        whenLoaded(function* (): Routine<unknown> {
          return read()
        }),
      ),
  ],
  ['untilLoaded', untilLoaded],
])('%s ends with the error of a load, or with that of the work', async (_name, run) => {
  const { read, loads } = dataStore()
  await expect(run(() => read('broken'))).rejects.toThrow('broken cannot be loaded')
  await expect(run(failing)).rejects.toThrow('a fault of the work')
  expect(loads).toEqual(['broken'])
})

test('isLoaded passes on other errors', () => {
  expect(() => isLoaded(failing)).toThrow('a fault of the work')
})
