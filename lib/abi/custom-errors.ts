/** Names of custom errors, looked up in folders of artifacts. Nothing is read before a contract reverts with one. */

import type { Host } from '../base/host.ts'
import { checkFolder, errorsIn, jsonFiles } from './artifact-files.ts'
import type { FoundFile } from './artifact-files.ts'
import { errorText } from './error-abi.ts'
import type { ErrorAbi } from './error-abi.ts'

interface ReadFile {
  readonly version: string
  readonly errors: readonly ErrorAbi[]
}

/** Time after which an unknown error has the folders looked through again: contracts are compiled while the node runs. */
const LOOK_AGAIN_MS = 1000

/** The errors of some folders. */
export class CustomErrors {
  readonly #folders: readonly string[]
  readonly #now: Host['now']
  #files: ReadonlyMap<string, ReadFile> = new Map()
  #bySelector: ReadonlyMap<string, readonly ErrorAbi[]> = new Map()
  #reading: Promise<void> | undefined
  #readAtMs = -Infinity

  constructor(folders: readonly string[], now: Host['now']) {
    this.#folders = folders
    this.#now = now
  }

  /** @throws NodeError 'invalidOption' naming the folder that cannot be listed */
  async check(): Promise<void> {
    await Promise.all(this.#folders.map(checkFolder))
  }

  /** Reads what is new in the folders where the error is none that is known. Never rejected. */
  async learn(data: string): Promise<void> {
    if (this.#folders.length === 0 || data.length < 10 || this.textOf(data) !== undefined) return
    if (this.#reading === undefined && this.#now() - this.#readAtMs < LOOK_AGAIN_MS) return
    this.#reading ??= this.#read().finally(() => (this.#reading = undefined))
    await this.#reading
  }

  /** The error that revert data encodes, as in `Refused(5, "text")`; absent when it is none that was learnt. */
  readonly textOf = (data: string): string | undefined => {
    for (const error of this.#bySelector.get(data.slice(0, 10)) ?? []) {
      const text = errorText(error, data)
      if (text !== undefined) return text
    }
    return undefined
  }

  async #read(): Promise<void> {
    const found = (await Promise.all(this.#folders.map(jsonFiles))).flat()
    const files = new Map<string, ReadFile>()
    for (const file of found) files.set(file.path, await this.#fileOf(file))
    const bySelector = new Map<string, readonly ErrorAbi[]>()
    for (const { errors } of files.values()) {
      for (const error of errors) {
        const known = bySelector.get(error.selector) ?? []
        if (known.every(({ name }) => name !== error.name)) bySelector.set(error.selector, [...known, error])
      }
    }
    this.#files = files
    this.#bySelector = bySelector
    this.#readAtMs = this.#now()
  }

  async #fileOf({ path, version }: FoundFile): Promise<ReadFile> {
    const known = this.#files.get(path)
    return known?.version === version ? known : { version, errors: await errorsIn(path) }
  }
}
