/** The contracts of all artifact folders, recognised by their code. The folders are read on demand. */

import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { relative } from 'node:path'
import { SELECTOR_CHARACTERS } from '../../abi/selector.ts'
import type { ErrorAbi } from '../../abi/fragments.ts'
import { trouble, type NodeError } from '../../base/errors.ts'
import { Emitter } from '../../base/events.ts'
import { nextTurn, type Host } from '../../base/host.ts'
import { lazyPart } from '../../base/lazy-part.ts'
import { finish, runThrough, type Routine } from '../../base/routine.ts'
import { reasonOf } from '../../base/system-errors.ts'
import type { WatchedFolder } from './artifact-folder.ts'
import { isSameCode, isVyper, samePlaces, type CodeKind, type ContractOf } from './code.ts'
import type { CompiledContract } from './compilation.ts'
import type { IndexedContract, IndexedFile } from './indexed-file.ts'
import { oncePer } from '../../base/once.ts'

/** Folders where Hardhat, Foundry and Truffle put artifacts, in the working folder. */
const DEFAULT_FOLDERS = ['artifacts', 'out', 'build/contracts']

/** Milliseconds of reading after which other requests run. */
const TURN_MS = 10

/** For how many milliseconds, at least and at most, later failures reuse a read. Contracts may be compiled while the node runs. */
const [RECENT_MS, LONGEST_RECENT_MS] = [1000, 5000]

/** Between these limits, reads for failures take at most this part (1/100) of the total time. */
const RECENT_SHARE = 100

/** For how many milliseconds failures of unknown contracts reuse a read. */
const UNKNOWN_RECENT_MS = 50

/** Such reads take at most this part (1/20) of the total time. */
const UNKNOWN_SHARE = 20

export class ContractCatalog {
  /** Emitted with an error for the user when a file cannot be read. */
  readonly failed = new Emitter<Error>()
  folders: readonly string[]
  readonly #named: readonly string[]
  /** For folders of other tools, the option that named them. */
  readonly #optionOfOthers = new Map<string, string>()
  /** The readers of files, loaded with the first refresh. */
  readonly #loadFolders: () => Promise<readonly WatchedFolder[]>
  readonly #now: Host['elapsed']
  #loaded: readonly WatchedFolder[] = []
  #read: readonly WatchedFolder[] = []
  #added: readonly IndexedFile[] = []
  #contracts: readonly IndexedContract[] = []
  #newestFirst: readonly CompiledContract[] = []
  #errors: ReadonlyMap<string, readonly ErrorAbi[]> = new Map()
  #matches = this.#newMatches()
  #refreshing: Promise<void> | undefined
  #readAtMs = -Infinity
  #turnAtMs = -Infinity
  #readMs = 0
  #hasUnknown = false

  /** By default Hardhat's, Foundry's and Truffle's folders in the working folder are read if they exist; undefined reads none. */
  constructor(named: readonly string[] | undefined, now: Host['elapsed']) {
    this.#named = named ?? []
    this.folders = named?.length === 0 ? DEFAULT_FOLDERS : this.#named
    this.#now = now
    const onFault = (path: string, error: unknown): void =>
      this.failed.emit(faultOf(this.#optionOf(path), path, error))
    this.#loadFolders = lazyPart('artifacts', async () => {
      const { WatchedFolder } = await import('./artifact-folder.ts')
      return this.folders.map((path) => new WatchedFolder(path, onFault, () => this.#pause()))
    })
  }

  /** Checks that the folders of the options can be listed. @throws NodeError 'invalidOption' naming one that cannot */
  async check(): Promise<void> {
    await Promise.all(this.#named.map((folder) => checkFolder('--artifacts', folder)))
  }

  /** Also reads folders of other tools that an option names. @throws NodeError 'invalidOption' naming one that cannot be listed */
  async alsoRead(folders: readonly string[], option: string): Promise<void> {
    await Promise.all(folders.map((folder) => checkFolder(option, folder)))
    this.folders = [...this.folders, ...folders]
    for (const folder of folders) this.#optionOfOthers.set(folder, option)
  }

  #optionOf(path: string): string {
    const others = [...this.#optionOfOthers]
    return others.find(([folder]) => !relative(folder, path).startsWith('..'))?.[1] ?? '--artifacts'
  }

  /** Reads what has changed on disk since the last time. Never rejects. */
  async refresh(): Promise<void> {
    const startedAtMs = this.#now()
    this.#refreshing ??= this.load()
      .then((folders) => finish(this.#refresh(folders)))
      .catch(this.#fail)
      .finally(() => {
        this.#refreshing = undefined
        this.#end(startedAtMs)
      })
    await this.#refreshing
  }

  readonly #fail = (error: unknown): void =>
    this.failed.emit(error instanceof Error ? error : new Error(String(error)))

  #end(startedAtMs: number): void {
    this.#readAtMs = this.#now()
    this.#readMs = this.#readAtMs - startedAtMs
    this.#hasUnknown = false
  }

  /** Like `refresh`, unless the folders were read within the last seconds. Never rejects. */
  async refreshUnlessRecent(): Promise<void> {
    if (this.#refreshing !== undefined || this.#isDue) await this.refresh()
  }

  get #isDue(): boolean {
    const recentMs = Math.min(Math.max(RECENT_MS, RECENT_SHARE * this.#readMs), LONGEST_RECENT_MS)
    return this.#now() - this.#readAtMs >= recentMs
  }

  /**
   * Reads again if a code was unknown or there are no contracts, because they may have just been compiled. Returns whether the
   * contracts have changed. Never rejects.
   */
  async refreshForUnknown(): Promise<boolean> {
    if (!this.#lacksOne) return false
    const before = this.#contracts
    await this.refresh()
    return this.#contracts !== before
  }

  get #lacksOne(): boolean {
    const recentMs = Math.max(UNKNOWN_RECENT_MS, UNKNOWN_SHARE * this.#readMs)
    return (this.#hasUnknown || this.isEmpty) && this.#now() - this.#readAtMs >= recentMs
  }

  /** Refreshes in one of these cases without pauses, for callers that cannot wait. Call `load` first. Never throws. */
  refreshNow(reason: 'old' | 'unknown'): boolean {
    if (reason === 'old' ? !this.#isDue : !this.#lacksOne) return false
    const [before, startedAtMs] = [this.#contracts, this.#now()]
    try {
      runThrough(this.#refresh(this.#loaded))
    } catch (error) {
      this.#fail(error)
    }
    this.#end(startedAtMs)
    return this.#contracts !== before
  }

  /** Whether no contract has been found so far. */
  get isEmpty(): boolean {
    return this.#contracts.length === 0
  }

  /** Loads the readers if there are files to read. */
  async load(): Promise<readonly WatchedFolder[]> {
    const hasFolders = this.#loaded.length > 0 || this.folders.some((path) => existsSync(path))
    if (hasFolders) this.#loaded = await this.#loadFolders()
    return this.#loaded
  }

  *#refresh(folders: readonly WatchedFolder[]): Routine<void> {
    let hasChanged = false
    this.#turnAtMs = this.#now()
    for (const folder of folders) if (yield* folder.refresh()) hasChanged = true
    this.#read = folders
    if (hasChanged) this.#collect()
  }

  /** Lets other requests run if the current turn of reading has lasted long enough. */
  *#pause(): Routine<void> {
    if (this.#now() - this.#turnAtMs < TURN_MS) return
    yield nextTurn()
    this.#turnAtMs = this.#now()
  }

  /** Adds contracts that are in no folder. */
  add(file: IndexedFile): void {
    this.#added = [...this.#added, file]
    this.#collect()
  }

  #collect(): void {
    const files = [...this.#read.flatMap((folder) => Array.from(folder.files)), ...this.#added]
    this.#contracts = files.flatMap(({ contracts }) => contracts)
    const sorted = this.#contracts.toSorted((a, b) => b.modifiedAtMs - a.modifiedAtMs)
    this.#newestFirst = sorted.map(({ contract }) => contract)
    const bySelector = new Map<string, ErrorAbi[]>()
    for (const error of files.flatMap(({ errors }) => errors)) {
      const known = bySelector.get(error.selector) ?? []
      if (known.every(({ name }) => name !== error.name)) bySelector.set(error.selector, [...known, error])
    }
    this.#errors = bySelector
    this.#matches = this.#newMatches()
  }

  /** Caches contracts by their code, including that a code is unknown. */
  #newMatches() {
    return {
      creation: oncePer((code: Uint8Array) => this.#find(code, 'creation')),
      runtime: oncePer((code: Uint8Array) => this.#find(code, 'runtime')),
    }
  }

  errorsOf(data: string): readonly ErrorAbi[] {
    return this.#errors.get(data.slice(0, SELECTOR_CHARACTERS)) ?? []
  }

  /** All contracts found so far, those of the newest files first. The list stays the same object until a file changes. */
  get contracts(): readonly CompiledContract[] {
    return this.#newestFirst
  }

  get projectContracts(): readonly CompiledContract[] {
    const added = new Set(this.#added.flatMap(({ contracts }) => contracts.map(({ contract }) => contract)))
    return this.#newestFirst.filter((contract) => !added.has(contract))
  }

  /**
   * The contract of a code; undefined if it is unknown so far. Runtime code must match the contract's; creation code must begin
   * with it, before the constructor's arguments. Linked libraries, immutables and metadata hashes may differ. The best match
   * counts, and among equal ones the newest.
   */
  readonly contractOf: ContractOf = (code, kind) => {
    const contract = this.#matches[kind](code)
    this.#hasUnknown ||= contract === undefined && code.length > 0
    return contract
  }

  #find(code: Uint8Array, kind: CodeKind): CompiledContract | undefined {
    const matches = this.#contracts.flatMap(({ contract, samples, modifiedAtMs }) => {
      if (samples[kind]?.canBegin(code) !== true) return []
      const compiled = contract[kind]
      if (compiled === undefined || !isSameCode(code, compiled)) return []
      if (kind === 'runtime' && !hasRuntimeLength(code, compiled.bytes, contract.path)) return []
      return [{ contract, modifiedAtMs, same: samePlaces(code, compiled) }]
    })
    return matches.toSorted((a, b) => b.same - a.same || b.modifiedAtMs - a.modifiedAtMs)[0]?.contract
  }
}

/** Vyper appends immutables to the code, in words; solc has placeholders in the code. */
const hasRuntimeLength = (code: Uint8Array, compiled: Uint8Array, path: string): boolean =>
  isVyper(path) ? (code.length - compiled.length) % 32 === 0 : code.length === compiled.length

function faultOf(option: string, path: string, error: unknown): NodeError {
  const message = `${option}: cannot read ${path}: ${reasonOf(error)}`
  return trouble('DN-READ', message, error)
}

async function checkFolder(option: string, folder: string): Promise<void> {
  try {
    await readdir(folder)
  } catch (cause) {
    const message = `${option}: cannot list the folder ${folder}: ${reasonOf(cause)}`
    throw trouble('DN-READ', message, cause)
  }
}
