import { describe, expect, test } from '@jest/globals'
import {
  NotLoadedError,
  converted,
  finish,
  ifLoaded,
  recovered,
  runAtOnce,
  together,
  waitFor,
} from '../../lib/base/routine.ts'
import type { Routine, Attempt } from '../../lib/base/routine.ts'

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

const fail = (): never => {
  throw new Error('a fault of the work')
}

describe('a routine', () => {
  test('without a pause ends at once', () => {
    expect(finish(counting(0))).toBe(0)
    expect(finish(() => counting(0))).toBe(0)
    expect(runAtOnce(counting(0))).toBe(0)
  })

  test('with pauses goes on after each', async () => {
    const pauses: number[] = []
    const during = (pause: Promise<void>) => {
      pauses.push(pauses.length + 1)
      return pause
    }
    expect(await finish(counting(3), during)).toBe(6)
    expect(pauses).toEqual([1, 2, 3])
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

  test.each([1, 2])('ends with the error of pause %d', async (pause) => {
    await expect(finish(failing(pause))).rejects.toThrow(`no ${pause}`)
  })

  test('goes on after a failed pause if it catches the error', async () => {
    function* patient(): Routine<string> {
      try {
        yield Promise.reject(new Error('first'))
      } catch {
        yield* waitFor(Promise.resolve())
      }
      return 'second'
    }
    expect(await finish(patient())).toBe('second')
  })
})

describe('a result is converted and an error recovered', () => {
  test.each<[string, Attempt<unknown>, string]>([
    ['at once', () => 3, 'result 3'],
    ['of a promise', async () => 3, 'result 3'],
    ['of a routine', () => counting(2), 'result 3'],
    ['an error at once', fail, 'error a fault of the work'],
    ['an error of a promise', async () => fail(), 'error a fault of the work'],
    ['an error of the first pause', () => failing(1), 'error no 1'],
    ['an error of a later pause', () => failing(2), 'error no 2'],
  ])('%s', async (_, work, expected) => {
    const handled = recovered(
      () => converted(work(), (result) => `result ${String(result)}`),
      (error) => `error ${error instanceof Error && error.message}`,
    )
    expect(await finish(() => handled)).toBe(expected)
  })

  test('and a recovery that throws ends the routine with its error', async () => {
    const thrown = recovered(() => failing(1), fail)
    await expect(finish(() => thrown)).rejects.toThrow('a fault of the work')
  })
})

describe('data that is not loaded', () => {
  test('is loaded together for several reads, until nothing is missing', async () => {
    const { read, loads } = dataStore()
    const rounds: number[] = []
    const calls: string[] = []
    const reads = ['a', 'b'].map((name) => () => {
      calls.push(name)
      return name === 'a' ? read('a') : `${read('b')}${read('c')}`
    })
    await finish(waitFor(together(reads)), (pause) => {
      rounds.push(loads.length)
      return pause
    })
    expect({ loads, rounds, calls }).toEqual({
      loads: ['a', 'b', 'c'],
      rounds: [2, 3],
      calls: ['a', 'b', 'a', 'b', 'b'],
    })
    expect(runAtOnce(waitFor(together(reads)))).toBeUndefined()
  })

  test.each<[string, (read: (name: string) => string) => Attempt<string>]>([
    ['at once', (read) => () => `${read('a')}${read('b')}`],
    ['in a promise', (read) => async () => `${read('a')}${read('b')}`],
    [
      'in a routine',
      (read) =>
        function* () {
          const first = read('a')
          yield Promise.resolve()
          return `${first}${read('b')}`
        },
    ],
  ])('makes work run again that reads %s', async (_, workOf) => {
    const { read, loads } = dataStore()
    const after: (string | undefined)[] = []
    const work = workOf(read)
    const result = finish((error) => {
      after.push(error?.message)
      return work()
    })
    expect(await result).toBe('ab')
    expect({ after, loads }).toEqual({
      after: [undefined, 'not loaded: a', 'not loaded: b'],
      loads: ['a', 'b'],
    })
  })

  test.each<[string, (read: () => unknown) => unknown]>([
    ['finish', finish],
    ['together', (read) => finish(together([read]))],
  ])('%s ends with the error of a load, or with that of the work', async (_name, run) => {
    const { read, loads } = dataStore()
    await expect(run(() => read('broken'))).rejects.toThrow('broken cannot be loaded')
    expect(() => run(fail)).toThrow('a fault of the work')
    expect(loads).toEqual(['broken'])
  })

  test('is undefined for a read that does not wait, and is not loaded', () => {
    const { read, loads } = dataStore()
    expect([ifLoaded(() => read('a')), ifLoaded(() => 1), loads]).toEqual([undefined, 1, []])
    expect(() => ifLoaded(fail)).toThrow('a fault of the work')
  })
})
