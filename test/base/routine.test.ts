import { describe, expect, test } from '@jest/globals'
import { NotLoadedError } from '../../lib/base/not-loaded.ts'
import { PausedRoutine, begin, pausing, runAtOnce, runWithPauses, waitFor } from '../../lib/base/routine.ts'
import type { Routine } from '../../lib/base/routine.ts'

/** Pauses so often, and counts. */
function* counting(pauses: number): Routine<number> {
  let sum = 0
  for (let count = 1; count <= pauses; count++) sum += yield* waitFor(Promise.resolve(count))
  return sum
}

describe('a routine', () => {
  test('without a pause ends at once', async () => {
    expect(begin(counting(0))).toBe(0)
    expect(runAtOnce(counting(0))).toBe(0)
    expect(pausing(counting)(0)).toBe(0)
    expect(await runWithPauses(counting(0))).toBe(0)
  })

  test('with pauses goes on after each', async () => {
    const paused = begin(counting(3))
    expect(paused).toBeInstanceOf(PausedRoutine)
    expect(paused instanceof PausedRoutine && (await paused.finish())).toBe(6)
    expect(await runWithPauses(counting(3))).toBe(6)
  })

  test('that is run at once and has to load data is ended, and its caller can wait', async () => {
    let isLoaded = false
    const ends: string[] = []
    function* work(): Routine<string> {
      try {
        if (!isLoaded) yield Promise.resolve().then(() => void (isLoaded = true))
        return 'done'
      } finally {
        ends.push(isLoaded ? 'loaded' : 'not loaded')
      }
    }
    let thrown: unknown
    try {
      runAtOnce(work())
    } catch (error) {
      thrown = error
    }
    expect(ends).toEqual(['not loaded'])
    expect(thrown).toBeInstanceOf(NotLoadedError)
    if (thrown instanceof NotLoadedError) await thrown.load()
    expect(runAtOnce(work())).toBe('done')
  })

  test.each([1, 2])('ends with the error of pause %d', async (failing) => {
    function* steps(): Routine<void> {
      for (let count = 1; count <= 3; count++) {
        yield count === failing ? Promise.reject(new Error(`no ${count}`)) : Promise.resolve()
      }
    }
    await expect(runWithPauses(steps())).rejects.toThrow(`no ${failing}`)
  })
})
