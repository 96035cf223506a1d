import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { Lock } from '../../lib/base/lock.ts'
import type { LockMode } from '../../lib/base/lock.ts'
import { waitFor, type Routine } from '../../lib/base/routine.ts'

/** A request of a random program: how it enters, how many turns of the event loop it takes, whether it fails. */
interface Task {
  readonly access: LockMode
  readonly turns: number
  readonly fails: boolean
  /** Turns that pass before the next request arrives. */
  readonly pause: number
}

const task: fc.Arbitrary<Task> = fc.record({
  access: fc.constantFrom<LockMode>('read', 'write'),
  turns: fc.nat(3),
  fails: fc.boolean(),
  pause: fc.nat(2),
})

/** A promise that the test settles. */
function pending() {
  let resolve = (): void => undefined
  let reject = (_error: Error): void => undefined
  const promise = new Promise<void>((...settle) => ([resolve, reject] = settle))
  return { promise, resolve, reject }
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Runs the tasks; records the order in which they entered, and which of them ran at the same time. */
async function play(tasks: readonly Task[]) {
  const lock = new Lock()
  const inside = new Set<Task>()
  const entered: Task[] = []
  const company: (readonly Task[])[] = []
  const work = async (own: Task) => {
    entered.push(own)
    inside.add(own)
    company.push([...inside])
    for (let done = 0; done < own.turns; done++) await turn()
    inside.delete(own)
    if (own.fails) throw new Error('failed')
  }
  const running: Promise<unknown>[] = []
  for (const own of tasks) {
    const ended = Promise.resolve(lock.run(own.access, () => work(own)))
    // A task may fail while others still enter: without a handler Node would report an unhandled rejection.
    ended.catch(() => undefined)
    running.push(ended)
    for (let paused = 0; paused < own.pause; paused++) await turn()
  }
  const results = await Promise.allSettled(running)
  return { entered, company, results }
}

describe('lock', () => {
  test('lets requests enter in the order of arrival, writes alone, whatever fails', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(task, { maxLength: 20 }), async (tasks) => {
        const { entered, company, results } = await play(tasks)
        expect(entered).toEqual(tasks)
        for (const together of company) {
          const hasWrite = together.some(({ access }) => access === 'write')
          expect(hasWrite ? together.length : 1).toBe(1)
        }
        expect(results.map(({ status }) => status === 'rejected')).toEqual(tasks.map(({ fails }) => fails))
      }),
      { numRuns: 100 },
    )
  })

  test('lets reads be inside together', async () => {
    const reads = [1, 2, 3].map(() => ({ access: 'read', turns: 2, fails: false, pause: 0 }) as const)
    const { company } = await play(reads)
    expect(company.at(-1)).toHaveLength(3)
  })

  test('returns synchronously when nothing waits', () => {
    const lock = new Lock()
    expect(lock.run('write', () => 1)).toBe(1)
    expect(lock.run('read', () => lock.run('read', () => 2))).toBe(2)
  })

  test('is free again after a task threw at once', async () => {
    const lock = new Lock()
    const fail = () => {
      throw new Error('failed')
    }
    expect(() => lock.run('write', fail)).toThrow('failed')
    const holding = lock.run('write', turn)
    await expect(lock.run('write', fail)).rejects.toThrow('failed')
    await holding
    expect(lock.run('write', () => 3)).toBe(3)
  })

  test('keeps a read after a waiting write', async () => {
    const lock = new Lock()
    const order: string[] = []
    await Promise.all([
      lock.run('read', turn),
      lock.run('write', () => order.push('write')),
      lock.run('read', () => order.push('read')),
    ])
    expect(order).toEqual(['write', 'read'])
  })

  test('lets waiting reads in when a write yields, and continues after them', async () => {
    const lock = new Lock()
    const order: string[] = []
    const long = async () => {
      order.push('begun')
      await lock.yieldToReads()
      order.push('ended')
    }
    const read = async () => {
      order.push('read')
      for (let turns = 0; turns < 3; turns++) await turn()
      order.push('read ended')
    }
    await Promise.all([
      lock.run('write', long),
      lock.run('write', () => order.push('write')),
      lock.run('read', read),
    ])
    expect(order).toEqual(['begun', 'read', 'read ended', 'ended', 'write'])
  })

  test('keeps a read out that comes after a write has yielded', async () => {
    const lock = new Lock()
    const order: string[] = []
    const long = async () => {
      await lock.yieldToReads()
      order.push('goes on')
      await turn()
      order.push('ended')
    }
    const writing = lock.run('write', long)
    while (order.length === 0) await turn()
    await Promise.all([writing, lock.run('read', () => order.push('read'))])
    expect(order).toEqual(['goes on', 'ended', 'read'])
  })

  test('admits reads that come while a write waits, until the wait ends, and goes on after the last of them', async () => {
    const lock = new Lock()
    const order: string[] = []
    const wait = pending()
    const writing = lock.run('write', async () => {
      await lock.admitReadsDuring(wait.promise)
      order.push('write goes on')
    })
    const slow = pending()
    await lock.run('read', () => order.push('first read'))
    const slowRead = lock.run('read', async () => {
      await slow.promise
      order.push('slow read ended')
    })
    const nextWrite = lock.run('write', () => order.push('next write'))
    await lock.run('read', () => order.push('read before the write that waits'))
    wait.resolve()
    for (let turns = 0; turns < 3; turns++) await turn()
    const lateRead = lock.run('read', () => order.push('late read'))
    for (let turns = 0; turns < 3; turns++) await turn()
    slow.resolve()
    await Promise.all([writing, slowRead, nextWrite, lateRead])
    expect(order).toEqual([
      'first read',
      'read before the write that waits',
      'slow read ended',
      'write goes on',
      'next write',
      'late read',
    ])
  })

  test('passes on the error of a wait, after the reads have ended, and is free again', async () => {
    const lock = new Lock()
    const order: string[] = []
    const wait = pending()
    const writing = Promise.resolve(lock.run('write', () => lock.admitReadsDuring(wait.promise)))
    const ended = writing.catch((error: unknown) => order.push(String(error)))
    const reading = lock.run('read', async () => {
      wait.reject(new Error('the remote is away'))
      for (let turns = 0; turns < 3; turns++) await turn()
      order.push('read ended')
    })
    await Promise.all([ended, reading])
    expect(order).toEqual(['read ended', 'Error: the remote is away'])
    expect(lock.run('write', () => 'free')).toBe('free')
  })

  test('finish runs a paused routine with reads in each pause, and returns other results as they are', async () => {
    const lock = new Lock()
    const order: string[] = []
    function* steps(): Routine<string> {
      for (const step of [1, 2]) {
        yield* waitFor(turn())
        order.push(`step ${step}`)
      }
      return 'done'
    }
    const writing = lock.run('write', async () => lock.finish(steps()))
    const reads = [1, 2].map(async (read) => lock.run('read', () => order.push(`read ${read}`)))
    expect(await writing).toBe('done')
    await Promise.all(reads)
    expect(order).toEqual(['read 1', 'read 2', 'step 1', 'step 2'])
    expect(lock.finish(7)).toBe(7)
  })

  test('a routine that reads has the lock until its first pause, one that writes until its end', async () => {
    const lock = new Lock()
    const order: string[] = []
    function* steps(name: string): Routine<void> {
      order.push(`${name} began`)
      yield* waitFor(turn())
      order.push(`${name} ended`)
    }
    const running = (['read', 'write'] as const).map((access) => lock.run(access, () => steps(access)))
    const next = lock.run('write', () => order.push('next write'))
    await Promise.all([...running, next])
    expect(order).toEqual(['read began', 'write began', 'read ended', 'write ended', 'next write'])
    expect(() =>
      lock.run('read', function* (): Routine<void> {
        throw new Error('no')
      }),
    ).toThrow('no')
    expect(lock.run('write', () => 'free')).toBe('free')
  })
})
