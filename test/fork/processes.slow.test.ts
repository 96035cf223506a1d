/** The fork cache of processes that are killed, and of processes that write at once. Real processes, SIGKILL. */

import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { packFork } from '../../lib/fork/cache-transfer.ts'
import { forkFolder, listForks } from '../../lib/fork/cached-forks.ts'
import { factsPath, readFacts } from '../../lib/fork/fact-store.ts'
import type { FactStore } from '../../lib/fork/fact-store.ts'
import { BLOCK, CACHE_MODULE, cacheIn, headerFact } from '../support/fork-cache.ts'
import { startModule } from '../support/own-process.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dev-node-fork-'))
})
// A process that a failed test left would write on.
afterEach(async () => {
  for (const child of running) child.kill('SIGKILL')
  running.clear()
  await rm(folder, { recursive: true, force: true })
})

const running = new Set<ChildProcess>()

async function startCache(module: string, ...args: readonly string[]) {
  const child = await startModule(`${CACHE_MODULE}${module}`, [folder, ...args])
  running.add(child)
  return child
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL')
  // Everything that it printed is read.
  await once(child, 'close')
}

/** Learns facts `<name> 0`, `<name> 1`, ... until it is killed. */
const ENDLESS = `
  const [name] = args
  const store = await cache.openStore(block)
  for (let count = 0; ; count++) {
    store.put(name + ' ' + count, 'value ' + count + 'x'.repeat(1000))
    if (count % 50 === 0) await new Promise(setImmediate)
  }`

/** Learns facts that are the same in all processes, and facts of its own; many times, if it is told so. */
const SHARED = `
  const [name, starts] = args
  for (let start = 0; start < Number(starts); start++) {
    const store = await cache.openStore(block)
    for (let count = 0; count < 2000; count++) {
      store.put('shared ' + count, 'value ' + count)
      store.put(name + ' ' + start + ' ' + count, 'value ' + count)
      if (count % 500 === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    }
    await store.close()
  }
  console.log('done')`

/** Numbers of the facts that a process wrote before it was killed. */
function numbersOf(store: FactStore, name: string): number {
  let count = 0
  while (store.get(`${name} ${count}`) === `value ${count}${'x'.repeat(1000)}`) count++
  // What was written later is there only if what was written earlier is.
  const later = Array.from({ length: 5000 }, (_, index) => store.get(`${name} ${count + index}`))
  expect(later.filter((value) => value !== undefined)).toEqual([])
  return count
}

const bytesOf = async (): Promise<number> => {
  const [fork] = await listForks(folder)
  return fork?.bytes ?? 0
}

test('a process that is killed while it writes loses only what it had not written', async () => {
  const found: number[] = []
  for (let kills = 0; kills < 5; kills++) {
    const before = await bytesOf()
    const child = await startCache(ENDLESS, `kill-${kills}`)
    // Each is killed at another size of its file, in the middle of a record.
    while ((await bytesOf()) < before + 2000 + kills * 777) await new Promise(setImmediate)
    await kill(child)
    const { cache, faults } = cacheIn(folder)
    const store = await cache.openStore(BLOCK)
    found.push(numbersOf(store, `kill-${kills}`))
    for (const [earlier, count] of found.entries()) expect(numbersOf(store, `kill-${earlier}`)).toBe(count)
    await store.close()
    expect(faults).toEqual([])
  }
  expect(Math.min(...found)).toBeGreaterThan(0)
})

/** Learns facts `<name> 0`, `<name> 1`, ... with shared ones between them, prints each number that is on the disk, until it is killed. */
const FLUSHED = `
  const [name] = args
  for (let start = 0; ; start++) {
    const store = await cache.openStore(block)
    for (let count = 0; count < 20; count++) {
      store.put('shared ' + start + ' ' + count, 'value ' + count)
      store.put(name + ' ' + start + ' ' + count, 'value ' + count)
    }
    await store.close()
    console.log(start)
  }`

test('what is on the disk stays when one of several writers is killed, and the others go on', async () => {
  const names = ['one', 'two', 'three']
  const children = await Promise.all(names.map((name) => startCache(FLUSHED, name)))
  const lasts = names.map(() => -1)
  for (const [index, { stdout }] of children.entries())
    createInterface(stdout).on('line', (line) => (lasts[index] = Number(line)))
  // None is killed before all write.
  while (lasts.includes(-1)) await setTimeout(5)
  for (const [index, child] of children.entries()) {
    const before = lasts[index]!
    while (lasts[index]! < before + 1 + index) await setTimeout(5)
    await kill(child)
  }
  const { cache, faults } = cacheIn(folder)
  const store = await cache.openStore(BLOCK)
  for (const [index, name] of names.entries()) {
    const last = lasts[index]!
    expect(last).toBeGreaterThan(0)
    for (const key of ['shared', name])
      for (let start = 0; start <= last; start++)
        for (let count = 0; count < 20; count++)
          expect([key, start, count, store.get(`${key} ${start} ${count}`)]).toEqual([
            key,
            start,
            count,
            `value ${count}`,
          ])
  }
  await store.close()
  expect(faults).toEqual([])
})

test('imports while nodes write lose nothing, and neither do the nodes', async () => {
  const block = { ...BLOCK, chainId: 99n }
  const count = 3000
  const facts = Array.from(
    { length: count },
    (_, index) => [`eth_imported [${index}]`, `"${index}"`] as const,
  )
  const header = Object.entries(headerFact(block)).map(
    ([key, value]) => [key, JSON.stringify(value)] as const,
  )
  const file = join(folder, 'in.cache')
  await writeFile(file, await packFork({ block, facts: new Map([...header, ...facts]) }))
  const children = await Promise.all(
    ['one', 'two'].map((name) => startCache(`block.chainId = 99n\n${SHARED}`, name, '3')),
  )
  const ended = children.map(({ stdout }) => text(stdout))
  const importing = `
    import { importForks } from './lib/fork/cache-transfer.ts'
    const [into, file] = process.argv.slice(2)
    for (let turn = 0; turn < 5; turn++) console.log((await importForks(into, [file]))[0].count)`
  const importers = await Promise.all([1, 2].map(() => startModule(importing, [folder, file])))
  const counts = await Promise.all(importers.map(({ stdout }) => text(stdout)))
  expect(counts).toEqual(Array.from({ length: 2 }, () => `${count + 1}\n`.repeat(5)))
  expect(await Promise.all(ended)).toEqual(['done\n', 'done\n'])
  const { facts: found, fault } = await readFacts(factsPath(forkFolder(folder, block)))
  expect(fault).toBeUndefined()
  expect(found.size).toBe(1 + count + 2000 + 2 * 3 * 2000)
  expect(facts.filter(([key, value]) => found.get(key) !== value)).toEqual([])
})
