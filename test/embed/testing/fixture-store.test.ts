import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { FixtureStore } from '../../../lib/embed/testing/test-chain.ts'

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

test('the claim of a killed worker ends with it', async () => {
  const worker = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
  await claimOf(worker.pid!)
  worker.kill('SIGKILL')
  await once(worker, 'exit')
  expect(await new FixtureStore(folder).take('one', built('a'))).toMatchObject({ value: 'a', isNew: true })
  expect(await readdir(folder)).toHaveLength(1)
})

test('the claim of a live worker is respected', async () => {
  const claim = await claimOf(process.pid)
  let isFree = false
  setTimeout(() => {
    isFree = true
    void rm(claim)
  }, 200)
  await new FixtureStore(folder).take('one', built('a'))
  expect(isFree).toBe(true)
})

/** A claim of a process on the fixture `one`. */
async function claimOf(id: number): Promise<string> {
  const file = createHash('sha256').update('one').digest('hex').slice(0, 40)
  const path = join(folder, `${file}.${id}-0-00ff00ff.lock`)
  await writeFile(path, '')
  return path
}
