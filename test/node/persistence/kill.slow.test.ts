/** State files of nodes that are killed: under load, while they write, while they load. Real processes, SIGKILL. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { commandPath, request, startDevNode } from '../../support/packed-command.ts'
import type { RunningNode } from '../../support/packed-command.ts'
import { COW, COW1 } from '../../support/signing.ts'

const TRANSFER = { from: COW, to: COW1, value: '0x1', gas: '0x5208' }

/** Blocks of a transfer each, so that writing and loading take some time. */
const BLOCKS = 600
const KILLS = 3
/** Of those, how many have to hit the writing of the file. */
const MIN_HITS = 1

let folder: string
let state: string
const running = new Set<number>()

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dev-node-kill-'))
  state = join(folder, 'chain.state')
  const node = await start('--state', state)
  for (let sent = 0; sent < BLOCKS; sent += 100) await sendMany(node.url, 100)
  expect(await node.stop()).toBe(0)
  running.clear()
})

// A node that a failed test left would write the file of the next test.
afterEach(() => {
  for (const pid of running) process.kill(pid, 'SIGKILL')
  running.clear()
})

afterAll(() => rm(folder, { recursive: true }))

async function sendMany(url: string, count: number): Promise<void> {
  const body = Array.from({ length: count }, (_, id) => ({
    jsonrpc: '2.0',
    id,
    method: 'eth_sendTransaction',
    params: [TRANSFER],
  }))
  const headers = { 'content-type': 'application/json' }
  await (await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })).text()
}

async function start(...args: readonly string[]): Promise<RunningNode> {
  // Without cross-checks, which take most of the time of a block.
  const node = await startDevNode(args, { DEV_NODE_CROSS_CHECK: 'false' })
  running.add(node.ready.pid)
  return node
}

async function kill(node: RunningNode): Promise<void> {
  process.kill(node.ready.pid, 'SIGKILL')
  // Waits until the killed process has ended.
  await node.stop()
  running.delete(node.ready.pid)
}

const isDraft = (name: string): boolean => name.endsWith('.draft')
const drafts = async () => (await readdir(folder)).filter(isDraft)
const others = async () => (await readdir(folder)).filter((name) => !isDraft(name) && !name.endsWith('.lock'))

interface Head {
  readonly number: number
  readonly hash: string
}

async function headOf(url: string): Promise<Head> {
  const { number, hash } = await request<{ number: string; hash: string }>(url, 'eth_getBlockByNumber', [
    'latest',
    false,
  ])
  return { number: Number(number), hash }
}

/** Sends transactions until the node is killed, and records the hash of each block. */
class Load {
  readonly #seen = new Map<number, string>()
  #newest = 0

  get newest(): number {
    return this.#newest
  }

  /** Ends when the node ends. */
  async run(url: string): Promise<void> {
    try {
      for (;;) {
        await request(url, 'eth_sendTransaction', [TRANSFER])
        this.#note(await headOf(url))
      }
    } catch {
      return
    }
  }

  /** Checks that the restarted node has the recorded blocks up to its head, and forgets later ones. */
  async check(url: string): Promise<number> {
    const { number } = await headOf(url)
    const numbers = [...this.#seen.keys()]
    for (const lost of numbers.filter((each) => each > number)) this.#seen.delete(lost)
    for (const [each, hash] of [...this.#seen].slice(-50)) {
      const block = await request(url, 'eth_getBlockByNumber', [`0x${each.toString(16)}`, false])
      expect(block).toMatchObject({ hash })
    }
    expect(Number(await request(url, 'eth_getTransactionCount', [COW, 'latest']))).toBe(number)
    this.#newest = number
    return number
  }

  #note({ number, hash }: Head): void {
    this.#seen.set(number, hash)
    this.#newest = Math.max(this.#newest, number)
  }
}

/**
 * Works out the blocks that the file must have. A dump begins after the dump before it replaced the file, so it has all
 * blocks that were recorded until then.
 */
class FileWatch {
  readonly #loaded: number
  readonly #versions: { readonly version: string; newest: number }[] = []

  constructor(loaded: number) {
    this.#loaded = loaded
  }

  /** Records the version of the file; block `newest` was mined before. */
  async look(newest: number): Promise<void> {
    const { ino, mtimeNs } = await stat(state, { bigint: true })
    const version = `${ino}/${mtimeNs}`
    const last = this.#versions.at(-1)
    if (last?.version === version) last.newest = newest
    else this.#versions.push({ version, newest })
  }

  /** Whether a dump has ended that began during the test. */
  get isMoving(): boolean {
    return this.#versions.length > 2
  }

  /** Number of the newest block that the file must have. */
  get floor(): number {
    return this.#versions.at(-3)?.newest ?? this.#loaded
  }
}

/** Any of a few moments, the same in every run: the fractions of multiples of the golden ratio spread evenly. */
const spread = (index: number): number => (index * 0.618_034) % 1

describe('a node killed', () => {
  test('under load continues from its last complete file', async () => {
    const load = new Load()
    let hits = 0
    let left: readonly string[] = []
    let promised = BLOCKS
    // The node may be faster than the kill.
    for (let index = 0; index < KILLS || (hits < MIN_HITS && index < 5 * KILLS); index++) {
      const node = await start('--state', state, '--state-interval', '0.01')
      // By now it may be writing one of its own.
      const found = await drafts()
      expect(left.filter((name) => found.includes(name))).toEqual([])
      const loaded = await load.check(node.url)
      expect(loaded).toBeGreaterThanOrEqual(promised)
      const watch = new FileWatch(loaded)
      const loading = [load.run(node.url), load.run(node.url)]
      const until = performance.now() + 600 * spread(index)
      const isEnough = async (): Promise<boolean> =>
        performance.now() > until && (index % 2 === 0 ? watch.isMoving : (await drafts()).length > 0)
      do await watch.look(load.newest)
      while (!(await isEnough()))
      await kill(node)
      await Promise.all(loading)
      await watch.look(load.newest)
      promised = watch.floor
      left = await drafts()
      hits += left.length
    }
    const last = await start('--state', state)
    expect(await load.check(last.url)).toBeGreaterThanOrEqual(promised)
    await kill(last)
    expect(hits).toBeGreaterThanOrEqual(MIN_HITS)
    expect(promised).toBeGreaterThan(BLOCKS)
  })

  test('during a dump returns nothing or a complete dump', async () => {
    const saved = join(folder, 'saved.state')
    for (let index = 0; index < 2; index++) {
      const node = await start('--load-state', state)
      let answered = 0
      const save = async (): Promise<void> => {
        const { number } = await headOf(node.url)
        const dump = await request<string>(node.url, 'dev_dumpState')
        await writeFile(saved, Buffer.from(dump.slice(2), 'hex'))
        answered = number
      }
      await save()
      const loaded = answered
      const loading = new Load().run(node.url)
      const dumping = async (): Promise<void> => {
        for (;;) await save()
      }
      const ended = expect(dumping()).rejects.toThrow()
      while (answered === loaded) await pause(10)
      await pause(300 * spread(index))
      await kill(node)
      await Promise.all([loading, ended])
      const again = await start('--load-state', saved)
      expect((await headOf(again.url)).number).toBeGreaterThanOrEqual(answered)
      await kill(again)
    }
  })

  test('during a load does not change its file', async () => {
    const before = await readFile(state)
    const names = await others()
    const startedAt = performance.now()
    await kill(await start('--load-state', state))
    const startMs = performance.now() - startedAt
    for (let index = 0; index < 3; index++) {
      const child = spawn(await commandPath(), ['start', '--port', '0', '--state', state], {
        stdio: 'ignore',
      })
      const ended = once(child, 'exit')
      await pause(startMs * (0.2 + 0.8 * spread(index)))
      child.kill('SIGKILL')
      await ended
      expect((await readFile(state)).equals(before)).toBe(true)
      expect(await others()).toEqual(names)
    }
  })
})
