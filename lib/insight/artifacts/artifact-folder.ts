/** The files of one folder of artifacts, of which only new and changed ones are read again. */

import { existsSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { BuildInfo } from './build-info.ts'
import type { ArtifactFolder } from './build-info.ts'
import { FILE_PATTERN } from './schemas.ts'
import { debugFileOf, isAbsent, isBuildInfo, jsonFiles } from './found-files.ts'
import type { FaultListener, FoundFile } from './found-files.ts'
import { hasOutput, indexArtifact, indexBuild } from './indexed-file.ts'
import type { IndexedFile } from './indexed-file.ts'
import { JsonFile } from './json-file.ts'
import type { FileVersion } from './json-file.ts'
import { isTruffle } from './truffle.ts'

/** Files that are looked at before other work may be let in. */
const FILES_PER_TURN = 64

/** Maximum number of files that are reported at a time: the folder of another program can have thousands. */
const MAX_FAULTS = 10

/** A folder that is read again and again. */
export class WatchedFolder implements ArtifactFolder {
  readonly path: string
  readonly #onFault: FaultListener
  #found: ReadonlyMap<string, FoundFile> = new Map()
  /** The files by path; undefined for a file that cannot be read or belongs to another program. */
  readonly #scanned = new Map<string, JsonFile | undefined>()
  readonly #indexed = new Map<string, IndexedFile>()
  readonly #builds = new Map<string, { readonly build: BuildInfo; readonly files: readonly JsonFile[] }>()
  #buildInfos: readonly string[] = []
  /** Paths that were not readable at the last search. */
  #unreadable: ReadonlySet<string> = new Set()
  /** Build infos that files name and that do not exist. */
  readonly #missing = new Set<string>()

  /** Files of the current refresh that cannot be read. */
  #faults = 0

  /** The listener is told of a file once for each of its versions. */
  constructor(path: string, onFault: FaultListener) {
    this.path = path
    this.#onFault = (faulty, error) => {
      if (++this.#faults <= MAX_FAULTS) onFault(faulty, error)
      else if (this.#faults === MAX_FAULTS + 1) onFault(path, 'it has more such files, which are not listed')
    }
  }

  get buildInfos(): readonly string[] {
    return this.#buildInfos
  }

  /** The contracts of all files. */
  get files(): Iterable<IndexedFile> {
    return this.#indexed.values()
  }

  /** Reads what has changed on the disk, with pauses. Returns whether anything has. */
  *refresh(): Generator<void, boolean, void> {
    this.#faults = 0
    const before = this.#found
    const found = yield* this.#search()
    this.#found = new Map(found.map((file) => [file.path, file]))
    // Contracts keep what they have read, also that a build info is missing.
    const hasAppeared = found.some(({ path }) => this.#missing.has(path))
    const isKnown = (file: FoundFile): boolean => !hasAppeared && isSameVersion(before.get(file.path), file)
    const changed = found.filter((file) => !isKnown(file))
    const deleted = [...before.keys()].filter((path) => !this.#found.has(path))
    for (const path of [...deleted, ...changed.map((file) => file.path)]) this.#forget(path)
    const infos = found.filter(({ path }) => isBuildInfo(path))
    this.#buildInfos = infos.toSorted((a, b) => b.modifiedAtMs - a.modifiedAtMs).map(({ path }) => path)
    yield* this.#index(changed.filter(({ path }) => !isBuildInfo(path)).map(({ path }) => path))
    // Without artifacts the contracts are read from the runs of the compiler.
    const hasArtifacts = [...this.#indexed].some(
      ([path, { contracts }]) => !isBuildInfo(path) && contracts.length > 0,
    )
    if (hasArtifacts) for (const path of this.#buildInfos) this.#indexed.delete(path)
    else yield* this.#index(this.#buildInfos.filter((path) => !this.#indexed.has(path)))
    return changed.length + deleted.length > 0
  }

  *#search(): Generator<void, readonly FoundFile[], void> {
    const unreadable = new Set<string>()
    const onFault: FaultListener = (path, error) => {
      if (!this.#unreadable.has(path)) this.#onFault(path, error)
      unreadable.add(path)
    }
    const found: FoundFile[] = []
    for (const file of jsonFiles(this.path, onFault)) if (found.push(file) % FILES_PER_TURN === 0) yield
    this.#unreadable = unreadable
    return found
  }

  *#index(paths: readonly string[]): Generator<void, void, void> {
    const outputs: JsonFile[] = []
    for (const path of paths) {
      const file = yield* this.#scan(path)
      if (file === undefined) continue
      const indexed = isBuildInfo(path) ? undefined : indexArtifact(file, this)
      if (indexed !== undefined) this.#indexed.set(path, indexed)
      else if (hasOutput(file)) outputs.push(file)
      else if (!isBuildInfo(path) && !hasInput(file)) this.#scanned.set(path, undefined)
      file.release()
      yield
    }
    // After all files, because the input can be in a file after the output.
    for (const output of outputs) {
      const build = this.build(output.path, this.#inputOf(output)?.path)
      if (build !== undefined) this.#indexed.set(output.path, indexBuild(build, output))
      yield
    }
  }

  /** The file in the same folder with the sources of an output that has no input of its own. */
  #inputOf({ root, path }: JsonFile): JsonFile | undefined {
    if (root.at('input').isPresent) return undefined
    const output = root.at('output').isPresent ? root.at('output') : root
    const needed = output.at('sources').entries()
    const isInput = (file: JsonFile): boolean => {
      if (dirname(file.path) !== dirname(path) || hasOutput(file)) return false
      const input = file.root.at('input').isPresent ? file.root.at('input') : file.root
      return needed.every(([name]) => input.at('sources').at(name).isPresent)
    }
    return this.#readable().find(isInput)
  }

  readonly truffleFiles = (): readonly JsonFile[] => this.#readable().filter(isTruffle)

  #readable(): readonly JsonFile[] {
    return Array.from(this.#scanned.values()).filter((file) => file !== undefined)
  }

  readonly artifactsIn = (name: string): readonly string[] =>
    [...this.#indexed.keys()].filter((path) => basename(dirname(path)) === name)

  readonly open = (path: string): JsonFile | undefined => {
    const scan = this.#scan(path)
    for (;;) {
      const step = scan.next()
      if (step.done === true) return step.value
    }
  };

  *#scan(path: string): Generator<void, JsonFile | undefined, void> {
    if (this.#scanned.has(path)) return this.#scanned.get(path)
    const file = yield* this.#read(path)
    this.#scanned.set(path, file)
    return file
  }

  *#read(path: string): Generator<void, JsonFile | undefined, void> {
    try {
      return yield* JsonFile.scan(path, FILE_PATTERN)
    } catch (error) {
      // Hardhat's artifacts in packages lack the files beside them; others can be deleted while they are read.
      if (!isAbsent(error)) this.#onFault(path, error)
      return undefined
    }
  }

  readonly build = (outputPath: string, inputPath?: string): BuildInfo | undefined => {
    const output = this.open(outputPath)
    if (output === undefined) {
      this.#reportMissing(outputPath)
      return undefined
    }
    const known = this.#builds.get(outputPath)
    if (known?.files.includes(output) === true) return known.build
    const input = inputPath === undefined ? undefined : this.open(inputPath)
    // The project is around the folder of artifacts.
    const build = new BuildInfo({ output, input, folders: [dirname(this.path), this.path, '.'] })
    this.#builds.set(outputPath, { build, files: [output] })
    return build
  }

  #reportMissing(path: string): void {
    if (this.#missing.has(path) || existsSync(path)) return
    this.#missing.add(path)
    this.#onFault(path, 'it is missing, and an artifact names it: lines of sources are not known')
  }

  #forget(path: string): void {
    this.#missing.delete(path)
    this.#scanned.delete(path)
    this.#scanned.delete(debugFileOf(path))
    this.#indexed.delete(path)
    this.#builds.delete(path)
  }
}

const hasInput = ({ root }: JsonFile): boolean => root.at('sources').isPresent || root.at('input').isPresent

const isSameVersion = (one: FileVersion | undefined, other: FileVersion): boolean =>
  one?.modifiedAtMs === other.modifiedAtMs && one.size === other.size
