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

/** Pauses three times at most, one of which fails. */
function* failing(pause: number): Routine<void> {
  for (let count = 1; count <= 3; count++) {
    yield count === pause ? Promise.reject(new Error(`no ${count}`)) : Promise.resolve()
  }
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

  test.each([
    ['a result', counting(2), 'result 3'],
    ['the error of its first pause', failing(1), 'error no 1'],
    ['the error of a later pause', failing(2), 'error no 2'],
  ])('is mapped and recovered at a pause: %s', async (_, routine, expected) => {
    const paused: unknown = begin<unknown>(routine)
    const handled =
      paused instanceof PausedRoutine
        ? paused
            .map((result) => `result ${result}`)
            .recover((error) => `error ${error instanceof Error && error.message}`)
        : undefined
    expect(await handled?.finish()).toBe(expected)
  })

  test('whose recovery throws ends with that error', async () => {
    const paused = begin(failing(1))
    const handled = paused instanceof PausedRoutine ? paused : undefined
    const thrown = handled?.recover(() => {
      throw new Error('another')
    })
    await expect(thrown?.finish()).rejects.toThrow('another')
  })

  test.each([1, 2])('ends with the error of pause %d', async (pause) => {
    await expect(runWithPauses(failing(pause))).rejects.toThrow(`no ${pause}`)
  })
})
