import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { FixtureStore } from '../../lib/testing/fixture-store.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dev-node-fixtures-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const built = (value: string) => () => Promise.resolve({ value, state: '0x' })

test('is built once for simultaneous requests', async () => {
  const store = new FixtureStore(folder)
  // So many that some check the store just when another has built: they must not build again.
  const values = Array.from({ length: 200 }, (_, index) => String(index))
  const taken = await Promise.all(values.map((value) => store.take('one', built(value))))
  expect(taken.filter(({ isNew }) => isNew)).toHaveLength(1)
  expect(new Set(taken.map(({ value }) => value)).size).toBe(1)
  expect(await readdir(folder)).toHaveLength(1)
})

test('after a failed build the next request builds', async () => {
  const store = new FixtureStore(folder)
  await expect(store.take('one', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await store.take('one', built('a'))).toMatchObject({ value: 'a', isNew: true })
})

test('the lock of a worker that was killed long ago is ignored', async () => {
  const lock = await lockFor('one')
  const longAgo = new Date(Date.now() - 3_600_000)
  await utimes(lock, longAgo, longAgo)
  const start = performance.now()
  expect(await new FixtureStore(folder).take('one', built('a'))).toMatchObject({ value: 'a', isNew: true })
  expect(performance.now() - start).toBeLessThan(1000)
})

test('the lock of a killed worker does not last until a clock that was set back by an hour is there again', async () => {
  const lock = await lockFor('one')
  const inAnHour = new Date(Date.now() + 3_600_000)
  await utimes(lock, inAnHour, inAnHour)
  expect(await new FixtureStore(folder).take('one', built('a'))).toMatchObject({ value: 'a', isNew: true })
})

test('the lock of a worker that is killed while it builds expires after a few seconds', async () => {
  const script = `require('proper-lockfile').lock(process.argv[1], { realpath: false }).then(() => console.log('locked'))`
  const worker = spawn(process.execPath, ['-e', `${script}; setInterval(() => {}, 1000)`, pathFor('one')])
  await once(worker.stdout, 'data')
  worker.kill('SIGKILL')
  await once(worker, 'exit')
  const start = performance.now()
  expect(await new FixtureStore(folder).take('one', built('a'))).toMatchObject({ value: 'a', isNew: true })
  expect(performance.now() - start).toBeLessThan(10_000)
}, 20_000)

test('the lock of a live worker is respected', async () => {
  const lock = await lockFor('one')
  let isFree = false
  setTimeout(() => {
    isFree = true
    void rm(lock, { recursive: true, force: true })
  }, 200)
  await new FixtureStore(folder).take('one', built('a'))
  expect(isFree).toBe(true)
})

test('a path that is not a lock is an error at once', async () => {
  const longAgo = new Date(Date.now() - 3_600_000)
  await writeFile(`${pathFor('one')}.lock`, '')
  await utimes(`${pathFor('one')}.lock`, longAgo, longAgo)
  await expect(new FixtureStore(folder).take('one', built('a'))).rejects.toThrow('ENOTDIR')
})

const pathFor = (content: string): string =>
  join(folder, createHash('sha256').update(content).digest('hex').slice(0, 40))

/** A lock as a worker leaves it that ends without releasing it. */
async function lockFor(content: string): Promise<string> {
  const lock = `${pathFor(content)}.lock`
  await mkdir(lock)
  return lock
}
