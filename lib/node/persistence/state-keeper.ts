/** Keeps a chain's state file: loads it at the start, and writes it at intervals and at the end. */

import { createReadStream } from 'node:fs'
import { open, readdir, realpath, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import * as z from 'zod'
import { NodeError } from '../../base/errors.ts'
import { claimFile, type OwnFile } from '../../base/file-claim.ts'
import { EMPTY_BYTES } from '../../base/hex.ts'
import { Lock, type LockMode } from '../../base/lock.ts'
import { replaceFile, temporaryPathOf, type FileReplacement } from '../../base/replace-file.ts'
import { codeOf, reasonOf } from '../../base/system-errors.ts'
import { STATE_PARTS } from '../../config/option-values.ts'
import type { Options } from '../../config/options.ts'
import type { Services } from '../services.ts'
import { anvilStateTexts, checkHasAnvilState, isAnvilState } from './anvil-state.ts'
import { compressed, readLines, textStream, zipped } from './archive.ts'
import { dumpLines, type PersistedServices } from './dump.ts'
import { loadAnvilState, loadLines } from './load.ts'
import type { OpenedFile } from './opened-file.ts'
import { invalidState } from './records.ts'

/** Paths and interval of the state file. Without paths, the state is dumped and loaded only on request. */
export interface FileSettings {
  readonly from?: string | undefined
  /** Whether the file may be missing. */
  readonly isNewAllowed?: boolean
  readonly to?: string | undefined
  readonly everyMs?: number | undefined
}

type StatePart = Options['stateParts'][number]

/** Parts that a dump includes or leaves out, whatever the options say. */
type PartChanges = Readonly<Partial<Record<StatePart, boolean>>>

/** What a keeper uses. The options select the content of a dump. */
type KeeperDependencies = PersistedServices & Pick<Services, 'host' | 'options'>

export class StateKeeper {
  readonly #dependencies: KeeperDependencies
  readonly #settings: FileSettings
  #file: OwnStateFile | undefined
  /** Runs one write at a time, because writes share a temporary file, and an older write must not finish last. */
  readonly #writing = new Lock()
  #loaded: OpenedFile['loaded']
  #cancel: () => void = () => undefined
  #end: Promise<void> | undefined

  constructor(dependencies: KeeperDependencies, settings: FileSettings) {
    this.#dependencies = dependencies
    this.#settings = settings
  }

  /** Loads the state file, and starts the scheduled writes. @throws NodeError 'invalidState' */
  async open(): Promise<void> {
    const { from, to } = this.#settings
    if (this.#dependencies.options.stateFormat === 'anvil')
      checkHasAnvilState(this.#dependencies, 'invalidOption')
    // Claimed before the load, so that no other node replaces the file after it.
    if (to !== undefined) this.#file = await prepareStateFile(to)
    try {
      if (from !== undefined) await this.#loadFile(from)
    } catch (error) {
      await this.#file?.release()
      throw error
    }
    this.#schedule()
  }

  /** Leftovers of killed nodes beside the state file, in sentences for the user. */
  get findings(): readonly string[] {
    return this.#file?.findings ?? []
  }

  /** The state file and what the start found in it; undefined without one. */
  get source(): OpenedFile | undefined {
    const path = this.#settings.from ?? this.#file?.path
    return path === undefined ? undefined : { path, loaded: this.#loaded }
  }

  async #loadFile(from: string): Promise<void> {
    const isThere = await readStateFile(from, (open) => this.#load(open))
    if (!isThere && this.#settings.isNewAllowed !== true) throw invalidState(`there is no state file ${from}`)
    const { hash, header } = this.#dependencies.chain.head.block
    if (isThere) this.#loaded = { blockNumber: header.number, blockHash: hash }
    // The start options, not the file, determine the mining mode.
    this.#dependencies.miner.restoreMode(undefined)
  }

  /** The compressed state. The caller holds the lock. */
  async dump(changes: PartChanges, format = this.#dependencies.options.stateFormat): Promise<Uint8Array> {
    const { chain, network, options } = this.#dependencies
    if (format === 'anvil') {
      checkHasAnvilState(this.#dependencies, 'invalidParams')
      return new Uint8Array(await buffer(zipped(anvilStateTexts(chain.head, network))))
    }
    const isWanted = (part: StatePart) => changes[part] ?? options.stateParts.includes(part)
    const lines = dumpLines(this.#dependencies, new Set(STATE_PARTS.filter(isWanted)))
    return new Uint8Array(await buffer(compressed(lines)))
  }

  /** Loads a compressed state. The caller holds the lock. @throws NodeError 'invalidState' */
  load(state: Uint8Array): Promise<void> {
    return this.#load(() => Readable.from([state]))
  }

  async #load(open: () => Readable): Promise<void> {
    if (isAnvilState(await firstBytesOf(open()))) loadAnvilState(await buffer(open()), this.#dependencies)
    else await loadLines(readLines(open()), this.#dependencies)
  }

  /**
   * Writes the state file now, if there is one. The default chain does not change meanwhile, so that a run of blocks needs no extra
   * memory. @throws NodeError 'invalidState'
   */
  async save(): Promise<void> {
    if (this.#file !== undefined) await this.#dependencies.instance.lock.run('read', () => this.saveHeld())
  }

  /**
   * Writes the state file and returns its path. Then what the caller sees of the chain is on disk. The caller holds the lock.
   * @throws NodeError 'invalidState', also without a state file
   */
  async saveHeld(): Promise<string> {
    const file = this.#file
    if (file === undefined)
      throw invalidState('this chain has no state file: start the node with --state <file>')
    await this.#replace(file, this.#content())
    return file.path
  }

  /** Writes the state file for the last time, after the running request has ended. @throws NodeError 'invalidState' */
  close(): Promise<void> {
    this.#cancel()
    return (this.#end ??= this.#writeLast())
  }

  async #writeLast(): Promise<void> {
    try {
      await this.#write('write')
    } finally {
      await this.#file?.release()
    }
  }

  /** Closes without a write. For a failed start. */
  abandon(): void {
    this.#cancel()
    this.#end = this.#file?.release() ?? Promise.resolve()
  }

  #schedule(): void {
    const { everyMs } = this.#settings
    if (everyMs === undefined || this.#file === undefined || this.#end !== undefined) return
    this.#cancel = this.#dependencies.host.schedule(everyMs, () => {
      this.#write('read')
        .catch((error: unknown) => this.#dependencies.miner.failed.emit(error))
        .finally(() => this.#schedule())
    })
  }

  async #write(access: LockMode): Promise<void> {
    const file = this.#file
    if (file === undefined) return
    const { instance } = this.#dependencies
    await this.#replace(file, await instance.lock.run(access, () => this.#content()))
  }

  /** Writes the file after earlier writes. It must not wait for the chain's lock, because `save` may hold it. */
  async #replace(file: OwnStateFile, content: Readable): Promise<void> {
    await this.#writing.run('write', () => writeStateFile(file, content))
  }

  #content(): Readable {
    const { chain, network, miner, options } = this.#dependencies
    miner.makePostponedBlocks()
    if (options.stateFormat === 'anvil') return textStream(anvilStateTexts(chain.head, network))
    return compressed(dumpLines(this.#dependencies, new Set(options.stateParts)))
  }
}

async function firstBytesOf(file: Readable): Promise<Uint8Array> {
  for await (const chunk of file) return z.instanceof(Uint8Array).parse(chunk).subarray(0, FIRST_BYTES)
  return EMPTY_BYTES
}

/** Number of bytes that suffice to recognize the format. It is small, because compressed bytes can expand to much text. */
const FIRST_BYTES = 4096

interface OwnStateFile extends FileReplacement, OwnFile {}

/** Suffix of temporary files: the id of the writing process, and random digits that differ between nodes. */
const TEMPORARY = /^\.(\d+)-[0-9a-f]{8}\.draft$/

/**
 * Prepares a state file: claims it, checks that it is writable before a run starts, removes temporary files of killed nodes, and
 * follows symbolic links. @throws NodeError 'invalidState'; 'invalidOption' if another node uses it
 */
async function prepareStateFile(asked: string): Promise<OwnStateFile> {
  try {
    const stats = await stat(asked).catch(() => undefined)
    if (stats?.isFile() === false) throw invalidState('it is not a file')
    const path = stats === undefined ? asked : await realpath(asked)
    const loss = 'what it did after the last write of the file is lost'
    const claim = await claimFile({ path, title: `the state file ${path}`, loss })
    const temporaryPath = temporaryPathOf(path)
    const removed = await removeLeftovers(path)
    await (await open(temporaryPath, 'wx')).close()
    await rm(temporaryPath)
    const findings = [...claim.findings, ...removed]
    return { path, temporaryPath, mode: stats?.mode, findings, release: claim.release }
  } catch (error) {
    if (error instanceof NodeError && error.kind === 'invalidOption') throw error
    throw unwritable(asked, error)
  }
}

/** Removes temporary files of killed nodes, which is safe because this node has the claim. Returns a sentence for each. */
async function removeLeftovers(path: string): Promise<readonly string[]> {
  const [folder, name] = [dirname(path), basename(path)]
  const removed: string[] = []
  for (const each of await readdir(folder)) {
    const writer = each.startsWith(name) ? TEMPORARY.exec(each.slice(name.length))?.[1] : undefined
    if (writer === undefined) continue
    const temporaryPath = join(folder, each)
    await rm(temporaryPath, { force: true })
    removed.push(
      `removed ${temporaryPath}, which the process ${writer} did not finish; the state file is that of the last finished write`,
    )
  }
  return removed
}

/** Writes a state file. @throws NodeError 'invalidState' if it cannot be written; the old file then remains */
async function writeStateFile(file: FileReplacement, content: Readable): Promise<void> {
  try {
    await replaceFile(file, content)
  } catch (error) {
    throw unwritable(file.path, error)
  }
}

const unwritable = (path: string, cause: unknown): NodeError =>
  invalidState(`cannot write the state file ${path}: ${reasonOf(cause)}`, { cause, code: 'DN-WRITE' })

/** Loads a state file; false if it does not exist. `load` may open it several times. @throws NodeError 'invalidState' */
async function readStateFile(path: string, load: (open: () => Readable) => Promise<void>): Promise<boolean> {
  try {
    await load(() => createReadStream(path))
    return true
  } catch (error) {
    const [cause, code] = error instanceof NodeError ? [error.cause, error.details.code] : [error]
    if (codeOf(cause) === 'ENOENT') return false
    throw invalidState(`cannot load ${path}: ${reasonOf(error)}; ${REMEDY}`, { cause: error, code })
  }
}

const REMEDY = 'the file was not changed; to begin a new chain, move it away or name another one'
