/** Looks up the names of custom errors in folders of artifacts. It reads the folders when an unknown error occurs. */

import type { Host } from '../base/host.ts'
import { checkFolder, errorsIn, jsonFiles } from './artifact-files.ts'
import type { FoundFile } from './artifact-files.ts'
import { errorText } from './error-abi.ts'
import type { ErrorAbi } from './error-abi.ts'
import { SELECTOR_CHARACTERS } from './selector.ts'

interface ReadFile {
  readonly version: string
  readonly errors: readonly ErrorAbi[]
}

/** Time after which an unknown error causes another read, because contracts are compiled while the node runs. */
const REREAD_MS = 1000

/** The custom errors of some folders. */
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

  /** Checks that the folders can be listed. @throws NodeError 'invalidOption' naming a folder that cannot be listed */
  async check(): Promise<void> {
    await Promise.all(this.#folders.map(checkFolder))
  }

  /** Reads new files in the folders if the error in the revert data is unknown. Never rejects. */
  async resolve(data: string): Promise<void> {
    const hasSelector = data.length >= SELECTOR_CHARACTERS
    if (this.#folders.length === 0 || !hasSelector || this.textOf(data) !== undefined) return
    if (this.#reading === undefined && this.#now() - this.#readAtMs < REREAD_MS) return
    this.#reading ??= this.#read().finally(() => (this.#reading = undefined))
    await this.#reading
  }

  /** The error that revert data encodes, such as `Refused(5, "text")`; absent if it is unknown. */
  readonly textOf = (data: string): string | undefined => {
    for (const error of this.#bySelector.get(data.slice(0, SELECTOR_CHARACTERS)) ?? []) {
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
