/** Stores fixtures on disk, shared by workers and runs. The first worker builds a fixture, the others read it. */

import { createHash } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import * as z from 'zod'
import { realHost } from '../../base/host.ts'
import { tryClaim, usersOf } from '../../base/file-claim.ts'
import { jsonValue } from '../../base/json-text.ts'
import { replaceFile } from '../../base/replace-file.ts'
import { reasonOf } from '../../base/system-errors.ts'

/** A value that JSON can hold. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json }

/** The stored data of a fixture. */
export interface StoredFixture {
  readonly value: Json
  /** The state as returned by dev_dumpState. */
  readonly state: string
}

/** A fixture, and whether this call built it. */
type TakenFixture = StoredFixture & { readonly isNew: boolean }

const stored = z.object({ value: z.json(), state: z.string() })

/** Longest pause between checks whether another worker is done, in milliseconds. Each lasts another time, so that workers diverge. */
const MAX_PAUSE_MS = 40

/** Milliseconds after which a worker builds although another one holds the claim: a thread can end without its process. */
const MAX_WAIT_MS = 60_000

export class FixtureStore {
  readonly #folder: string
  /** The fixtures that this worker is taking, by file: it claims a file once at a time. */
  readonly #taking = new Map<string, Promise<TakenFixture>>()

  constructor(folder: string) {
    this.#folder = folder
  }

  /** The fixture with this identity; built here if it is not stored and no other worker is building it. */
  async take(identity: string, build: () => Promise<StoredFixture>): Promise<TakenFixture> {
    await mkdir(this.#folder, { recursive: true })
    const file = join(this.#folder, createHash('sha256').update(identity).digest('hex').slice(0, 40))
    while (this.#taking.has(file)) await this.#taking.get(file)?.catch(() => undefined)
    const taking = this.#takeFile(file, build).finally(() => this.#taking.delete(file))
    this.#taking.set(file, taking)
    return taking
  }

  async #takeFile(file: string, build: () => Promise<StoredFixture>): Promise<TakenFixture> {
    const lastAt = realHost.elapsed() + MAX_WAIT_MS
    for (;;) {
      const found = await read(file)
      if (found !== undefined) return { ...found, isNew: false }
      const release = await acquire(file)
      try {
        if (release !== undefined || realHost.elapsed() > lastAt) return await this.#build(file, build)
      } finally {
        await release?.()
      }
      await wait(((realHost.random(1)[0] ?? 0) / 255) * MAX_PAUSE_MS)
    }
  }

  async #build(file: string, build: () => Promise<StoredFixture>): Promise<TakenFixture> {
    // The last holder of the claim may have stored the fixture between the check and the claim.
    const found = await read(file)
    if (found !== undefined) return { ...found, isNew: false }
    const fixture = await build()
    await replaceFile({ path: file }, JSON.stringify(fixture))
    return { ...fixture, isNew: true }
  }
}

/** Reads a stored fixture; an invalid file counts as absent. */
async function read(file: string): Promise<StoredFixture | undefined> {
  const text = await readFile(file, 'utf8').catch(() => '')
  return stored.safeParse(jsonValue(text)).data
}

/** Claims a file, and returns the release of the claim; undefined while another worker holds it. */
async function acquire(file: string): Promise<(() => Promise<void>) | undefined> {
  // Claims that are made at the same moment refuse each other, so none is made while there is another one.
  if ((await usersOf(file)).length > 0) return undefined
  const claim = await tryClaim(file)
  return 'release' in claim ? claim.release : undefined
}

/** The result of a builder as it is read from a file; undefined becomes null. @throws Error naming the fixture */
export function throughJson(name: string, value: unknown): Json {
  try {
    return z.json().parse(JSON.parse(JSON.stringify(value ?? null)))
  } catch (cause) {
    throw new Error(`the result of fixture ${name} is not JSON: ${reasonOf(cause)}`, { cause })
  }
}
