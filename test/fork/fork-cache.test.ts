import { chmod, mkdtemp, readFile, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { forkFolder } from '../../lib/fork/cached-forks.ts'
import { FactStore, factsPath, readFacts } from '../../lib/fork/fact-store.ts'
import { BLOCK, CACHE_MODULE, addFacts, blockOf, cacheIn } from '../support/fork-cache.ts'
import { ManualHost } from '../support/node.ts'
import { startModule } from '../support/own-process.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dev-node-fork-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** The file of the facts about a block. */
const fileOf = (block = BLOCK): string => factsPath(forkFolder(folder, block))

/** Opens the store, and returns values and faults. */
async function read(keys: readonly string[], block = BLOCK) {
  const { cache, faults } = cacheIn(folder)
  const store = await cache.openStore(block)
  const values = keys.map((key) => store.get(key))
  await store.close()
  return { values, faults }
}

describe('a store', () => {
  test('has the facts of earlier stores of the same block, and of no other', async () => {
    await addFacts(folder, { 'eth_getBalance ["0x01"]': '0x10' })
    await addFacts(folder, { 'eth_getBalance ["0x02"]': null })
    const keys = ['eth_getBalance ["0x01"]', 'eth_getBalance ["0x02"]', 'eth_getBalance ["0x03"]']
    expect(await read(keys)).toEqual({ values: ['0x10', null, undefined], faults: [] })
    expect((await read(keys, blockOf(5))).values).toEqual([undefined, undefined, undefined])
    expect((await read(keys, { ...BLOCK, chainId: 5n })).values).toEqual([undefined, undefined, undefined])
  })

  test('returns every JSON value as it was', async () => {
    let number = 0
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue()), async (facts) => {
        const block = blockOf(++number)
        const given = Object.fromEntries(Object.entries(facts).filter(([key]) => !key.includes('\n')))
        await addFacts(folder, given, block)
        const { values } = await read(Object.keys(given), block)
        expect(JSON.stringify(values)).toBe(JSON.stringify(Object.values(given)))
      }),
      { numRuns: 30 },
    )
  })

  test('keeps the first value of a key, which a caller cannot change', async () => {
    for (const store of [new FactStore(), await cacheIn(folder).cache.openStore(BLOCK)]) {
      const value = { topics: ['0x1'] }
      store.put('logs', value)
      store.put('logs', 'another')
      value.topics.push('0x2')
      expect(store.get('logs')).toEqual({ topics: ['0x1'] })
      expect(store.get('logs')).not.toBe(store.get('logs'))
      await store.close()
    }
    expect((await read(['logs'])).values).toEqual([{ topics: ['0x1'] }])
  })

  test('keeps the first value that one of several processes wrote, however long the others are', async () => {
    const stores = [
      await cacheIn(folder).cache.openStore(BLOCK),
      await cacheIn(folder).cache.openStore(BLOCK),
    ]
    const long = Array.from({ length: 20_000 }, (_, index) => `value ${index * 7919}`)
    for (const [index, store] of stores.entries()) {
      store.put('answer', index === 0 ? 'first' : long)
      await store.close()
    }
    expect(await read(['answer'])).toEqual({ values: ['first'], faults: [] })
  })

  test('writes a while after a fact, many facts at once, and the rest at the end', async () => {
    const host = new ManualHost()
    const store = await cacheIn(folder, { host }).cache.openStore(BLOCK)
    const count = async () => (await readFacts(fileOf())).facts.size
    const written = async (facts: number) => {
      while ((await count()) < facts) await new Promise(setImmediate)
    }
    store.put('1', 1)
    store.put('2', 2)
    expect(await count()).toBe(0)
    host.step(100)
    await written(2)
    store.put('long', 'x'.repeat(300_000))
    await written(3)
    expect(host.waiting).toBe(0)
    store.put('3', 3)
    expect(await count()).toBe(3)
    await store.close()
    expect([host.waiting, await count()]).toEqual([0, 4])
  })

  test('writes what it could not write as soon as that is possible, with what was added meanwhile', async () => {
    const host = new ManualHost()
    const { cache, faults } = cacheIn(folder, { host })
    await writeFile(join(folder, '1'), 'a file in the place of the folder')
    const store = await cache.openStore(BLOCK)
    store.put('one', '1')
    host.step(100)
    while (faults.length === 0) await new Promise(setImmediate)
    store.put('two', '2')
    await rm(join(folder, '1'))
    host.step(5000)
    await store.close()
    expect(await read(['one', 'two'])).toEqual({ values: ['1', '2'], faults: [] })
    expect(faults).toHaveLength(1)
  })

  test('is compressed', async () => {
    const facts = Object.fromEntries(
      Array.from({ length: 1000 }, (_, slot) => [`${BLOCK.blockHash} ${slot}`, '0x0']),
    )
    await addFacts(folder, facts)
    expect((await stat(fileOf())).size).toBeLessThan(JSON.stringify(facts).length / 8)
  })
})

describe('a file', () => {
  test('that was cut off at any byte of its last record has the facts before, without a message', async () => {
    await addFacts(folder, { one: '0x1' })
    const first = await readFile(fileOf())
    await addFacts(folder, { two: '0x2', three: '0x3' })
    const whole = await readFile(fileOf())
    for (let length = 0; length < whole.length; length++) {
      await writeFile(fileOf(), whole.subarray(0, length))
      await addFacts(folder, { later: true })
      const one = length < first.length - 1 ? undefined : '0x1'
      const two = length < whole.length - 1 ? undefined : '0x2'
      expect(await read(['one', 'two', 'later'])).toEqual({ values: [one, two, true], faults: [] })
    }
  })

  test('with a damaged record loses only that record, names it once, and has it no longer', async () => {
    await addFacts(folder, { one: '0x1' })
    await addFacts(folder, { two: '0x2' })
    const bytes = await readFile(fileOf())
    bytes[5]! ^= 1
    await writeFile(fileOf(), bytes)
    const said = `the fork cache cannot use all of ${fileOf()}: the record at byte 1 is damaged and was removed`
    expect(await read(['one', 'two'])).toEqual({ values: [undefined, '0x2'], faults: [said] })
    await addFacts(folder, { one: '0x1' })
    expect(await read(['one', 'two'])).toEqual({ values: ['0x1', '0x2'], faults: [] })
  })

  test('of which any byte is damaged keeps what another process appends while the damage is removed', async () => {
    await addFacts(folder, { one: '0x1' })
    await addFacts(folder, { two: '0x2' })
    const whole = await readFile(fileOf())
    for (let at = 0; at < whole.length; at++) {
      await writeFile(fileOf(), whole)
      const other = await cacheIn(folder).cache.openStore(BLOCK)
      await writeFile(fileOf(), whole.with(at, whole[at]! ^ 0x80))
      other.put('later', true)
      await Promise.all([other.close(), read([])])
      const { values, faults } = await read(['one', 'two', 'later'])
      expect([values.includes('0x1') || values.includes('0x2'), values[2], faults]).toEqual([true, true, []])
    }
  })
})

describe('a disk', () => {
  test('that is full is reported once, keeps what is written before and after, and the store goes on without it', async () => {
    const child = await startModule(
      `${CACHE_MODULE}
      const store = await cache.openStore(block)
      for (let count = 0; count < 20; count++) {
        store.put('random ' + count, Buffer.from(realHost.random(250_000)).toString('hex'))
      }
      await store.close()
      console.log(store.get('random 19').length)`,
      [folder],
      // No file of the process may have more than 1000 blocks of 512 bytes.
      `trap '' XFSZ; ulimit -f 1000; exec "$@"`,
    )
    const reason = 'EFBIG: file too large, write'
    expect((await text(child.stdout)).trimEnd().split('\n')).toEqual([
      `fault: cannot write to the fork cache ${folder}: ${reason}; new facts stay in memory until it can be written`,
      '500000',
    ])
    // The part that the full disk left damages neither the facts before it nor those that others write after it.
    await addFacts(folder, { later: '0x1' })
    const { values, faults } = await read(['random 0', 'random 19', 'later'])
    expect([values.map((value) => String(value).length), faults]).toEqual([[500_000, 9, 3], []])
  })

  test('with a file in the place of the folder is reported once, for stores and remotes', async () => {
    const path = join(folder, 'file')
    await writeFile(path, '')
    const { cache, faults } = cacheIn(path)
    const store = await cache.openStore(BLOCK)
    expect(faults).toEqual([])
    store.put('1', '0x1')
    await store.close()
    await cache.remote('http://127.0.0.1:1').rememberChainId(1n)
    expect(faults).toEqual([
      expect.stringMatching(
        `^cannot write to the fork cache ${path}: ENOTDIR: .*; new facts stay in memory until it can be written$`,
      ),
    ])
  })

  test('that is read-only serves a warm cache in silence, and is reported once when a fact is new', async () => {
    await addFacts(folder, { known: '0x1' })
    await chmod(folder, 0o555)
    await chmod(forkFolder(folder, BLOCK), 0o555)
    const child = await startModule(
      `${CACHE_MODULE}
      // The superuser may write everywhere. The other user may not pass the parents of the folder.
      process.chdir(folder)
      if (process.getuid() === 0) process.setuid(65534)
      const local = forkCache('.', { host: realHost, onFault })
      const store = await local.openStore(block)
      console.log(store.get('known'))
      await store.close()
      const again = await local.openStore(block)
      again.put('new', '0x2')
      again.put('newer', '0x3')
      await again.close()
      console.log(again.get('new'))`,
      [folder],
    )
    const lines = (await text(child.stdout)).trimEnd().split('\n')
    expect(lines).toEqual([
      '0x1',
      expect.stringMatching(
        /^fault: cannot write to the fork cache \.: EACCES: .*; new facts stay in memory until it can be written$/,
      ),
      '0x2',
    ])
  })
})

describe('the limit of the cache', () => {
  test('removes the forks that were not used for the longest time, but none in use', async () => {
    const random = Array.from({ length: 400 }, (_, index) => `${index * 7919}`).join('')
    for (const number of [1, 2, 3, 4]) {
      await addFacts(folder, { key: random }, blockOf(number))
      await utimes(forkFolder(folder, blockOf(number)), number, number)
    }
    const { size } = await stat(fileOf(blockOf(1)))
    const inUse = await cacheIn(folder).cache.openStore(blockOf(1))
    await utimes(forkFolder(folder, blockOf(1)), 1, 1)
    const limited = await cacheIn(folder, { maxBytes: 2.5 * size }).cache.openStore(blockOf(4))
    await limited.close()
    await inUse.close()
    const left = (await readdir(join(folder, '1'))).map((name) => Number(name.split('-')[0]))
    expect(left.sort()).toEqual([1, 4])
  })
})

test('keys in the URL of a remote are not on the disk', async () => {
  const url = 'https://user:hunter2@127.0.0.1/v3/0123456789abcdef?key=secret'
  const { cache } = cacheIn(folder)
  await cache.remote(url).rememberChainId(1n)
  await cache.remote(url).rememberBlockHash(BLOCK)
  await addFacts(folder, { 'eth_getBalance ["0x01"]': '0x10' })
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const texts = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async (entry) => {
        const path = join(entry.parentPath, entry.name)
        const { facts } = await readFacts(path)
        return [path, await readFile(path, 'latin1'), ...facts].join('\n')
      }),
  )
  expect(texts).toHaveLength(2)
  expect(texts.join('\n')).toContain('eth_getBalance')
  expect(texts.join('\n')).not.toMatch(/hunter2|0123456789abcdef|secret|https|user/)
})
