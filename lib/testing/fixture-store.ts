/** Fixtures on disk, shared by workers and runs: built by whoever comes first, read by everybody else. */

import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import * as z from 'zod'
import { isAlive, ownProcess } from '../base/processes.ts'
import type { Json } from './test-chain.ts'

/** What is kept of a fixture. */
export interface StoredFixture {
  readonly value: Json
  /** The state as node_dumpState answers it. */
  readonly state: string
}

/** A fixture, and whether it was built for the one who took it. */
type TakenFixture = StoredFixture & { readonly isNew: boolean }

const stored = z.object({ value: z.json(), state: z.string() })

/** Milliseconds between two looks at whether another worker is done. */
const LOOK_EVERY = 20

/** Milliseconds after which a worker that builds counts as dead whose process nobody can ask, for it signs every second. */
const DEAD_AFTER = 10_000

/** A folder of fixtures. */
export class FixtureStore {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  /** The fixture with this content; built here when nobody has it and nobody else is building it. */
  async take(content: string, build: () => Promise<StoredFixture>): Promise<TakenFixture> {
    await mkdir(this.#folder, { recursive: true })
    const file = join(this.#folder, createHash('sha256').update(content).digest('hex').slice(0, 40))
    for (;;) {
      const found = await read(file)
      if (found !== undefined) return { ...found, isNew: false }
      if (await isOurs(`${file}.lock`)) return await this.#build(file, build)
      await wait(LOOK_EVERY)
    }
  }

  async #build(file: string, build: () => Promise<StoredFixture>): Promise<TakenFixture> {
    const lock = `${file}.lock`
    // A sign of life, so that a long build is not taken for a dead one.
    const signs = setInterval(() => void signLife(lock).catch(() => undefined), 1000)
    try {
      // Whoever had the lock before may have been done between the look and the lock.
      const found = await read(file)
      if (found !== undefined) return { ...found, isNew: false }
      const fixture = await build()
      // Written aside first: nobody ever reads half a file.
      const draft = `${file}.${ownProcess.id}.draft`
      await writeFile(draft, JSON.stringify(fixture))
      await rename(draft, file)
      return { ...fixture, isNew: true }
    } finally {
      clearInterval(signs)
      await rm(lock, { recursive: true, force: true })
    }
  }
}

/** A file that is none, or of another make, counts as absent. */
async function read(file: string): Promise<StoredFixture | undefined> {
  try {
    const parsed = stored.safeParse(JSON.parse(await readFile(file, 'utf8')))
    return parsed.success ? parsed.data : undefined
  } catch {
    return undefined
  }
}

/** Whether the lock could be taken. Making a folder is one step everywhere: one of many succeeds. */
async function isOurs(lock: string): Promise<boolean> {
  try {
    await mkdir(lock)
    await signLife(lock)
    return true
  } catch {
    await breakIfDead(lock)
    return false
  }
}

const signLife = (lock: string): Promise<void> => writeFile(join(lock, 'alive'), String(ownProcess.id))

async function breakIfDead(lock: string): Promise<void> {
  try {
    const sign = join(lock, 'alive')
    // Whoever was killed between the two steps left a folder with nothing in it.
    const { mtimeMs } = await stat(sign).catch(() => stat(lock))
    const id = Number(await readFile(sign, 'utf8').catch(() => ''))
    const hasEnded = id > 0 && !isAlive(id)
    if (hasEnded || Date.now() - mtimeMs > DEAD_AFTER) await rm(lock, { recursive: true, force: true })
  } catch {
    // Gone: the next look tells.
  }
}
