/** Keeps a chain in a state file: loads it at the start, writes it at intervals and at the end. */

import { buffer } from 'node:stream/consumers'
import { Readable } from 'node:stream'
import * as z from 'zod'
import type { Event } from '../base/events.ts'
import { NodeError } from '../base/errors.ts'
import { EMPTY_BYTES } from '../base/hex.ts'
import { Lock } from '../base/lock.ts'
import { realHost } from '../base/host.ts'
import type { Host } from '../base/host.ts'
import type { Options } from '../config/options.ts'
import type { ChainInstance } from '../instance/chain-instance.ts'
import { anvilStateTexts } from './anvil-dump.ts'
import { checkHasAnvilState, isAnvilState } from './anvil-state.ts'
import { compressed, readLines, textStream, zipped } from './archive.ts'
import { dumpLines } from './dump.ts'
import type { DumpSelection, PersistentParts } from './dump.ts'
import { loadAnvilState, loadLines } from './load.ts'
import { prepareStateFile, readStateFile, writeStateFile } from './state-file.ts'
import type { StatePlace } from './state-file.ts'

/** Where and when; without files, state is dumped and loaded only when asked for. */
export interface FileSettings {
  /** File to load at the start. */
  readonly from?: string | undefined
  /** Whether the file may be missing. */
  readonly isNewAllowed?: boolean
  /** File to write. */
  readonly to?: string | undefined
  readonly everyMs?: number | undefined
}

/** Files, and what a dump holds. */
export interface KeeperSettings extends FileSettings {
  readonly selection: DumpSelection
  readonly format: StateFormat
}

/** The program that the written form of a state is for. */
type StateFormat = Options['stateFormat']

/** What a keeper works with. */
export interface KeeperParts extends PersistentParts {
  readonly instance: ChainInstance
  readonly host: Host
  /** Told of a file that could not be written at its time. */
  readonly failed: Event<unknown>
}

/** The keeper of one chain. */
export class StateKeeper {
  readonly #parts: KeeperParts
  readonly #settings: KeeperSettings
  #place: StatePlace | undefined
  /** One write at a time: they share a draft, and what is older must not come last. */
  readonly #writing = new Lock()
  #cancel: () => void = () => undefined
  #end: Promise<void> | undefined

  constructor(parts: KeeperParts, settings: KeeperSettings) {
    this.#parts = parts
    this.#settings = settings
  }

  /** Loads the file there is to load, and begins to write. @throws NodeError 'invalidState' */
  async open(): Promise<void> {
    const { from, isNewAllowed, to, format } = this.#settings
    if (format === 'anvil') checkHasAnvilState(this.#parts.network, 'invalidOption')
    if (from !== undefined) {
      const isThere = await readStateFile(from, (open) => this.#load(open))
      if (!isThere && isNewAllowed !== true)
        throw new NodeError('invalidState', `there is no state file ${from}`)
      // How blocks are made is for whoever starts a node to say.
      this.#parts.miner.restoreMode(undefined)
    }
    // Not the chain's randomness: two nodes that are to be the same write two drafts all the same.
    if (to !== undefined) this.#place = await prepareStateFile(to, realHost.random(4))
    this.#schedule()
  }

  /** The compressed state. The caller holds the lock. */
  async dump(selection: Partial<DumpSelection>, format = this.#settings.format): Promise<Uint8Array> {
    if (format === 'anvil') {
      checkHasAnvilState(this.#parts.network, 'invalidParams')
      return new Uint8Array(await buffer(zipped(this.#anvilState())))
    }
    const lines = dumpLines(this.#parts, { ...this.#settings.selection, ...selection })
    return new Uint8Array(await buffer(compressed(lines)))
  }

  /** Puts a compressed state in the place of the present one. The caller holds the lock. @throws NodeError 'invalidState' */
  load(state: Uint8Array): Promise<void> {
    return this.#load(() => Readable.from([state]))
  }

  async #load(open: () => Readable): Promise<void> {
    if (isAnvilState(await beginningOf(open()))) loadAnvilState(await buffer(open()), this.#parts)
    else await loadLines(readLines(open()), this.#parts)
  }

  /** Writes the file now, if there is one to write. @throws NodeError 'invalidState' */
  save(): Promise<void> {
    return this.#write()
  }

  /** Writes the file a last time. @throws NodeError 'invalidState' */
  close(): Promise<void> {
    this.#cancel()
    return (this.#end ??= this.#write())
  }

  /** Ends without writing: what a start that failed knows is nothing to keep. */
  abandon(): void {
    this.#cancel()
    this.#end = Promise.resolve()
  }

  #schedule(): void {
    const { everyMs } = this.#settings
    if (everyMs === undefined || this.#place === undefined || this.#end !== undefined) return
    this.#cancel = this.#parts.host.schedule(everyMs, () => {
      this.#write()
        .catch((error: unknown) => this.#parts.failed.emit(error))
        .finally(() => this.#schedule())
    })
  }

  async #write(): Promise<void> {
    const place = this.#place
    if (place === undefined) return
    const { instance } = this.#parts
    await this.#writing.run('write', async () => {
      const content = await instance.lock.run('read', () => this.#content())
      await writeStateFile(place, content)
    })
  }

  /** What a file holds as of this moment. */
  #content(): Readable {
    const { selection, format } = this.#settings
    if (format === 'anvil') return textStream(this.#anvilState())
    return compressed(dumpLines(this.#parts, selection))
  }

  #anvilState(): Iterable<string> {
    const { chain, network } = this.#parts
    return anvilStateTexts(chain.head, network)
  }
}

/** The first bytes of a file. */
async function beginningOf(file: Readable): Promise<Uint8Array> {
  for await (const chunk of file) return z.instanceof(Uint8Array).parse(chunk).subarray(0, BEGINNING_LENGTH)
  return EMPTY_BYTES
}

/** Bytes by which a form is recognized, and which unpack to little. */
const BEGINNING_LENGTH = 4096
