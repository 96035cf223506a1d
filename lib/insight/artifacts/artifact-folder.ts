/** Reads the files of one folder of artifacts, of any layout, and later its new and changed files. */

import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Routine } from '../../base/routine.ts'
import { codeOf } from '../../base/system-errors.ts'
import { BuildInfo, partOf, type ArtifactFolder } from './build-info.ts'
import { debugFileOf, hasOutput, indexArtifact, indexRecords, type IndexedFile } from './indexed-file.ts'
import { JsonFile, isSameVersion, type FileVersion, type JsonValue } from './json-file.ts'

/** Maximum number of files reported at a time: another program's folder may have thousands. */
const MAX_FAULTS = 10

const SKIPPED = new Set(['cache', 'node_modules'])

interface FoundFile extends FileVersion {
  readonly path: string
}

/** Called with a file or folder that cannot be read. */
type FaultListener = (path: string, error: unknown) => void

/** A folder that is read again and again. */
export class WatchedFolder implements ArtifactFolder {
  readonly path: string
  readonly #onFault: FaultListener
  readonly #pause: () => Routine<void>
  #found: ReadonlyMap<string, FoundFile> = new Map()
  /** Files by path; undefined if a file cannot be read. */
  readonly #opened = new Map<string, JsonFile | undefined>()
  readonly #indexed = new Map<string, IndexedFile>()
  readonly #builds = new Map<string, BuildInfo>()
  #buildInfos: readonly string[] = []
  #unreadable: ReadonlySet<string> = new Set()
  /** Build infos that files refer to but that do not exist. */
  readonly #missing = new Set<string>()
  /** Number of unreadable files in the current refresh. */
  #faults = 0

  /** The listener is called once per version of a file, `pause` after each file that was read. */
  constructor(path: string, onFault: FaultListener, pause: () => Routine<void>) {
    this.path = path
    this.#pause = pause
    this.#onFault = (faulty, error) => {
      if (++this.#faults <= MAX_FAULTS) onFault(faulty, error)
      else if (this.#faults === MAX_FAULTS + 1) onFault(path, 'it has more such files, which are not listed')
    }
  }

  get buildInfos(): readonly string[] {
    return this.#buildInfos
  }

  get files(): Iterable<IndexedFile> {
    return this.#indexed.values()
  }

  /** Reads what has changed on disk, with pauses. Returns whether anything has. */
  *refresh(): Routine<boolean> {
    this.#faults = 0
    const before = this.#found
    const files = yield* this.#search()
    const found = new Map(files.map((file) => [file.path, file]))
    // Contracts keep what they have read, even that a build info is missing.
    const hasAppeared = files.some(({ path }) => this.#missing.has(path))
    const isKnown = (file: FoundFile): boolean => !hasAppeared && isSameVersion(before.get(file.path), file)
    const changed = files.filter((file) => !isKnown(file))
    const deleted = [...before.keys()].filter((path) => !found.has(path))
    for (const path of [...deleted, ...changed.map((file) => file.path)]) this.#forget(path)
    const infos = files.filter(({ path }) => isBuildInfo(path))
    this.#buildInfos = infos.toSorted((a, b) => b.modifiedAtMs - a.modifiedAtMs).map(({ path }) => path)
    yield* this.#index(changed.filter(({ path }) => !isBuildInfo(path)).map(({ path }) => path))
    // Without artifacts, contracts are read from build infos.
    const hasArtifacts = [...this.#indexed].some(
      ([path, { contracts }]) => !isBuildInfo(path) && contracts.length > 0,
    )
    if (hasArtifacts) for (const path of this.#buildInfos) this.#indexed.delete(path)
    else yield* this.#index(this.#buildInfos.filter((path) => !this.#indexed.has(path)))
    // This comes last: a refresh during a pause must read everything again.
    this.#found = found
    return changed.length + deleted.length > 0
  }

  *#search(): Routine<readonly FoundFile[]> {
    const unreadable = new Set<string>()
    const onFault: FaultListener = (path, error) => {
      if (!this.#unreadable.has(path)) this.#onFault(path, error)
      unreadable.add(path)
    }
    const files: FoundFile[] = []
    for (const file of jsonFiles(this.path, onFault)) {
      files.push(file)
      yield* this.#pause()
    }
    this.#unreadable = unreadable
    return files
  }

  *#index(paths: readonly string[]): Routine<void> {
    for (const path of paths) {
      const file = this.open(path)
      const indexed = file && this.#indexOf(file)
      if (indexed !== undefined) this.#indexed.set(path, indexed)
      yield* this.#pause()
    }
  }

  #indexOf(file: JsonFile): IndexedFile | undefined {
    const artifact = isBuildInfo(file.path) ? undefined : indexArtifact(file, this)
    if (artifact !== undefined || !hasOutput(file)) return artifact
    const build = this.build(file.path)
    return build && indexRecords(build.records(), file)
  }

  readonly open = (path: string): JsonFile | undefined => {
    if (!this.#opened.has(path)) this.#opened.set(path, this.#read(path))
    return this.#opened.get(path)
  }

  #read(path: string): JsonFile | undefined {
    try {
      return new JsonFile(path)
    } catch (error) {
      // Hardhat's artifacts in packages lack their debug files; others may be deleted while they are read.
      if (!isAbsent(error)) this.#onFault(path, error)
      return undefined
    }
  }

  readonly artifactsOf = (sourceName: string): readonly JsonFile[] =>
    [...this.#indexed]
      .filter(([, indexed]) => indexed.sourceName === sourceName)
      .map(([path]) => this.open(path))
      .filter((file) => file !== undefined)

  readonly build = (path: string): BuildInfo | undefined => {
    const known = this.#builds.get(path)
    if (known !== undefined) return known
    const output = this.open(path)
    if (output === undefined) {
      this.#reportMissing(path)
      return undefined
    }
    // The project folder contains the folder of artifacts.
    const folders = [dirname(this.path), this.path, '.']
    const build = new BuildInfo(output.root, () => this.#inputOf(output), folders)
    this.#builds.set(path, build)
    return build
  }

  /** The content of the file with an output's sources. For Hardhat 3 and plain standard JSON it is another file. */
  #inputOf({ root, path }: JsonFile): JsonValue {
    if (root.at('input').isPresent) return root
    const needed = partOf(root, 'output').at('sources').entries()
    const isInput = (file: JsonFile): boolean => {
      const sources = partOf(file.root, 'input').at('sources')
      return !hasOutput(file) && needed.every(([name]) => sources.at(name).isPresent)
    }
    const nearby = [...this.#found.keys()].filter((other) => dirname(other) === dirname(path))
    for (const candidate of [path.replace(/\.output\.json$/, '.json'), ...nearby]) {
      const file = this.open(candidate)
      if (file !== undefined && isInput(file)) return file.root
    }
    return root
  }

  #reportMissing(path: string): void {
    if (this.#missing.has(path) || existsSync(path)) return
    this.#missing.add(path)
    this.#onFault(path, 'it is missing, and an artifact names it: lines of sources are not known')
  }

  #forget(path: string): void {
    this.#missing.delete(path)
    this.#opened.delete(path)
    this.#opened.delete(debugFileOf(path))
    this.#indexed.delete(path)
    this.#builds.delete(path)
  }
}

/** Whether a file is in a `build-info` folder. Hardhat and Foundry put build infos there. */
const isBuildInfo = (path: string): boolean => basename(dirname(path)) === 'build-info'

/** The JSON files in the folder and its subfolders. Files that are deleted during the search are left out. */
function* jsonFiles(folder: string, onFault: FaultListener): Generator<FoundFile, void, void> {
  for (const entry of readIfPresent(folder, onFault, entriesOf) ?? []) {
    const path = join(folder, entry.name)
    if (entry.name.startsWith('.') || SKIPPED.has(entry.name)) continue
    if (entry.isDirectory()) yield* jsonFiles(path, onFault)
    else if (entry.name.endsWith('.json') && !entry.name.endsWith('.dbg.json')) {
      const facts = readIfPresent(path, onFault, (file) => statSync(file))
      if (facts?.isFile() === true) yield { path, modifiedAtMs: facts.mtimeMs, size: facts.size }
    }
  }
}

const entriesOf = (folder: string) => readdirSync(folder, { withFileTypes: true })

/** Reads a path; undefined if it is absent or cannot be read. */
function readIfPresent<T>(path: string, onFault: FaultListener, read: (path: string) => T): T | undefined {
  try {
    return read(path)
  } catch (error) {
    if (!isAbsent(error)) onFault(path, error)
    return undefined
  }
}

const isAbsent = (error: unknown): boolean => codeOf(error) === 'ENOENT'
