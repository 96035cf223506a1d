/** Writes the facts that this process learns to its file, a while after they are added, so that no request waits for the disk. */

import { rm, rmdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Host } from '../base/host.ts'
import { appendRecord } from './fact-file.ts'
import type { FactText } from './fact-file.ts'
import { markComplete, newPath } from './fact-folder.ts'

/** Milliseconds from the first added fact to the write of a record. */
const WRITE_AFTER_MS = 100

/** Characters of added facts from which they are written at once. */
const WRITE_FROM_LENGTH = 256 * 1024

/** Milliseconds after a failure until the facts are written again. */
const RETRY_AFTER_MS = 5000

/** Parts of a writer. */
export interface WriterDependencies {
  readonly host: Host
  /** Called when a write fails. */
  readonly onFailure: (error: unknown) => void
}

/** The file of this process in the folder of a fork. After a failure, as on a full disk, it tries again. */
export class FactWriter {
  readonly #path: string
  readonly #host: Host
  readonly #onFailure: (error: unknown) => void
  #added: FactText[] = []
  #addedLength = 0
  #hasFacts = false
  #isWaiting = false
  /** Ends when all facts are written that were taken from `added`. */
  #writing: Promise<void>
  #cancelWrite: () => void = () => undefined

  /** Makes the file at once: it shows to other processes that the fork is in use. */
  constructor(folder: string, { host, onFailure }: WriterDependencies) {
    this.#path = newPath(folder, host)
    this.#host = host
    this.#onFailure = onFailure
    // In a folder that cannot be written, only a fact is a reason to say so: a complete cache needs no writes.
    this.#writing = appendRecord(this.#path, []).catch(() => undefined)
  }

  /** Resolves when the file is there, or could not be made. */
  async opened(): Promise<void> {
    await this.#writing
  }

  add(key: string, value: string): void {
    if (this.#added.length === 0) this.#cancelWrite = this.#host.schedule(WRITE_AFTER_MS, () => this.#write())
    this.#added.push([key, value])
    this.#addedLength += key.length + value.length
    if (this.#addedLength >= WRITE_FROM_LENGTH && !this.#isWaiting) this.#write()
  }

  /** Writes the added facts, and marks the file as complete. */
  async close(): Promise<void> {
    this.#write()
    await this.#writing
    this.#cancelWrite()
    try {
      if (this.#hasFacts) return await markComplete(this.#path)
      await rm(this.#path)
      // Fails if the folder has other files.
      await rmdir(dirname(this.#path))
    } catch {
      // The name is of a process that has ended soon.
    }
  }

  #write(): void {
    this.#cancelWrite()
    if (this.#added.length === 0) return
    const facts = this.#added
    this.#added = []
    this.#addedLength = 0
    this.#writing = this.#writing.then(() => this.#append(facts))
  }

  async #append(facts: readonly FactText[]): Promise<void> {
    try {
      await appendRecord(this.#path, facts)
      this.#isWaiting = false
      this.#hasFacts = true
    } catch (error) {
      // The texts are in memory anyway.
      this.#added = [...facts, ...this.#added]
      this.#isWaiting = true
      this.#cancelWrite()
      this.#cancelWrite = this.#host.schedule(RETRY_AFTER_MS, () => this.#write())
      this.#onFailure(error)
    }
  }
}
