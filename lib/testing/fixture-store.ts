/** Stores fixtures on disk, shared by workers and runs. The first worker builds a fixture, the others read it. */

import { createHash } from 'node:crypto'
import { mkdir, readFile, rmdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { lock } from 'proper-lockfile'
import * as z from 'zod'
import { realHost } from '../base/host.ts'
import { replaceFile, temporaryPathOf } from '../files/replace-file.ts'
import type { Json } from './json.ts'

/** The stored data of a fixture. */
export interface StoredFixture {
  readonly value: Json
  /** The state as returned by node_dumpState. */
  readonly state: string
}

/** A fixture, and whether this call built it. */
type TakenFixture = StoredFixture & { readonly isNew: boolean }

const stored = z.object({ value: z.json(), state: z.string() })

/** Milliseconds between checks whether another worker is done. */
const CHECK_EVERY_MS = 20

/** Milliseconds after which the lock of a killed worker expires. A worker that builds renews its lock. */
const STALE_MS = 5000

/** A folder of fixtures. */
export class FixtureStore {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  /** The fixture with this identity; built here if it is not stored and no other worker is building it. */
  async take(identity: string, build: () => Promise<StoredFixture>): Promise<TakenFixture> {
    await mkdir(this.#folder, { recursive: true })
    const file = join(this.#folder, createHash('sha256').update(identity).digest('hex').slice(0, 40))
    for (;;) {
      const found = await read(file)
      if (found !== undefined) return { ...found, isNew: false }
      const release = await acquire(file)
      if (release !== undefined) return await this.#build(file, build).finally(release)
      await wait(CHECK_EVERY_MS)
    }
  }

  async #build(file: string, build: () => Promise<StoredFixture>): Promise<TakenFixture> {
    // The last holder of the lock may have stored the fixture between the check and the lock.
    const found = await read(file)
    if (found !== undefined) return { ...found, isNew: false }
    const fixture = await build()
    await replaceFile({ path: file, temporaryPath: temporaryPathOf(file) }, JSON.stringify(fixture))
    return { ...fixture, isNew: true }
  }
}

/** Reads a stored fixture; an invalid file counts as absent. */
async function read(file: string): Promise<StoredFixture | undefined> {
  try {
    const parsed = stored.safeParse(JSON.parse(await readFile(file, 'utf8')))
    return parsed.success ? parsed.data : undefined
  } catch {
    return undefined
  }
}

/** Takes the lock of a file, and returns its release; undefined while another worker holds it. */
async function acquire(file: string): Promise<(() => Promise<void>) | undefined> {
  try {
    await dropLockOfTheFuture(`${file}.lock`)
    const options = { realpath: false, stale: STALE_MS, update: 1000 }
    // A build that blocks the event loop for longer than STALE_MS loses its lock. Then two workers store the same fixture.
    const release = await lock(file, { ...options, onCompromised: () => undefined })
    return () => release().catch(() => undefined)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ELOCKED') return undefined
    throw error
  }
}

/**
 * Removes a lock that was renewed later than now: the clock was set back. If its worker is alive, two workers build the fixture;
 * if it was killed, the lock would last until the clock is there again.
 */
async function dropLockOfTheFuture(lockPath: string): Promise<void> {
  const found = await stat(lockPath).catch(() => undefined)
  if (found?.isDirectory() !== true || found.mtimeMs <= realHost.now() + STALE_MS) return
  await rmdir(lockPath).catch(() => undefined)
}
