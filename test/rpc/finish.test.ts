import { expect, test } from '@jest/globals'
import { NodeError } from '../../lib/base/errors.ts'
import { Lock } from '../../lib/base/lock.ts'
import { NotLoadedError } from '../../lib/base/not-loaded.ts'
import { begin, waitFor } from '../../lib/base/routine.ts'
import type { Routine } from '../../lib/base/routine.ts'
import { endOfWrite, isLoadError, runToEnd } from '../../lib/rpc/finish.ts'

/** A read of data that has to be loaded so often first. */
function missing(times: number): { readonly read: () => number; readonly loads: () => number } {
  let loads = 0
  const read = (): number => {
    if (loads >= times) return loads
    throw new NotLoadedError('data', async () => {
      loads++
    })
  }
  return { read, loads: () => loads }
}

function* paused<T>(result: () => T): Routine<T> {
  yield* waitFor(Promise.resolve())
  return result()
}

test.each<[string, (read: () => number) => unknown]>([
  ['a value', (read) => read()],
  ['a promise', async (read) => read()],
  ['a paused routine', (read) => begin(paused(read))],
  ['a promise of a paused routine', async (read) => begin(paused(read))],
])('a method that returns %s is run again after each load', async (_kind, method) => {
  const { read, loads } = missing(2)
  expect(await runToEnd(() => method(read))).toBe(2)
  expect(loads()).toBe(2)
})

test('a result that is there is returned at once, and an error is thrown at once', () => {
  expect(runToEnd(() => 7)).toBe(7)
  expect(() =>
    runToEnd(() => {
      throw new Error('no')
    }),
  ).toThrow('no')
})

test('the error of a load is that of the method', async () => {
  const method = () => {
    throw new NotLoadedError('data', () => Promise.reject(new NodeError('remoteFailed', 'away')))
  }
  await expect(runToEnd(method)).rejects.toThrow('away')
})

test('a write keeps the lock to the end of its routine, and lets reads in at its pauses', async () => {
  const lock = new Lock()
  const order: string[] = []
  const writing = lock.run(
    'write',
    async () => endOfWrite(begin(paused(() => order.push('written'))), lock) as Promise<unknown>,
  )
  const next = lock.run('write', () => order.push('next write'))
  await lock.run('read', () => order.push('read'))
  await Promise.all([writing, next])
  expect(order).toEqual(['read', 'written', 'next write'])
  expect(endOfWrite(7, lock)).toBe(7)
})

test.each([
  [new NotLoadedError('data', async () => undefined), true],
  [new NodeError('remoteFailed', 'away'), true],
  [new NodeError('invalidParams', 'wrong'), false],
  ['remoteFailed', false],
])('%s: what a write changed before is undone: %p', (error, expected) => {
  expect(isLoadError(error)).toBe(expected)
})
