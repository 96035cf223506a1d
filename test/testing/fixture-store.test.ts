import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
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

test('is built by one of those who ask at once, and read by the others', async () => {
  const store = new FixtureStore(folder)
  // So many that some look while another is done: what they find then is no reason to build again.
  const values = Array.from({ length: 200 }, (_, index) => String(index))
  const taken = await Promise.all(values.map((value) => store.take('one', built(value))))
  expect(taken.filter(({ isNew }) => isNew)).toHaveLength(1)
  expect(new Set(taken.map(({ value }) => value)).size).toBe(1)
  expect(await readdir(folder)).toHaveLength(1)
})

test('a build that fails leaves the next one to build', async () => {
  const store = new FixtureStore(folder)
  await expect(store.take('one', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await store.take('one', built('a'))).toMatchObject({ value: 'a', isNew: true })
})

test.each([
  ['in the middle', ['alive']],
  ['before it could say that it is alive', []],
])('a worker that was killed %s keeps nobody waiting', async (_when, files) => {
  const name = createHash('sha256').update('one').digest('hex').slice(0, 40)
  const lock = join(folder, `${name}.lock`)
  await mkdir(lock)
  for (const file of files) await writeFile(join(lock, file), '')
  const longAgo = new Date(Date.now() - 3_600_000)
  for (const path of [...files.map((file) => join(lock, file)), lock]) await utimes(path, longAgo, longAgo)
  expect(await new FixtureStore(folder).take('one', built('a'))).toMatchObject({ value: 'a', isNew: true })
})

test('a worker that was killed just now keeps nobody waiting', async () => {
  const ended = spawn(process.execPath, ['--version'])
  await new Promise((resolve) => ended.once('exit', resolve))
  await lockFor('one', String(ended.pid))
  const start = performance.now()
  expect(await new FixtureStore(folder).take('one', built('a'))).toMatchObject({ value: 'a' })
  expect(performance.now() - start).toBeLessThan(5000)
})

test('a worker that lives is waited for', async () => {
  const lock = await lockFor('one', String(process.pid))
  let isFree = false
  setTimeout(() => {
    isFree = true
    void rm(lock, { recursive: true, force: true })
  }, 200)
  await new FixtureStore(folder).take('one', built('a'))
  expect(isFree).toBe(true)
})

/** A lock as a worker of that process leaves it. */
async function lockFor(content: string, pid: string): Promise<string> {
  const lock = join(folder, `${createHash('sha256').update(content).digest('hex').slice(0, 40)}.lock`)
  await mkdir(lock)
  await writeFile(join(lock, 'alive'), pid)
  return lock
}
