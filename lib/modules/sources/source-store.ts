/** Keeps what is known about codes: in a folder that processes share, with one file per code, or in memory. */

import { mkdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Host } from '../../base/host.ts'
import { isJsonObject, jsonValue } from '../../base/json-text.ts'
import { replaceFile } from '../../base/replace-file.ts'
import { JsonFile, JsonValue, type OpenFile } from '../../insight/artifacts/json-file.ts'
import { storedBuild, type StoredBuild } from './found-source.ts'
import type { RemoteContract } from '../../insight/explain/explained-call.ts'

type ChainCode = Pick<RemoteContract, 'chainId' | 'codeHash'>

export interface KeptBuild {
  readonly build: StoredBuild
  readonly file: OpenFile
}

/** Milliseconds after which a provider is asked again for a missing contract, because it may have been verified. */
const ABSENT_MS = 24 * 60 * 60 * 1000

export class SourceStore {
  readonly #folder: string | undefined
  readonly #host: Host

  /** Without a folder everything is kept by the callers, in memory. */
  constructor(folder: string | undefined, host: Host) {
    this.#folder = folder
    this.#host = host
  }

  /** The build of a code; undefined if it is missing or invalid. */
  read(code: ChainCode): KeptBuild | undefined {
    const path = this.#pathOf(code, 'json')
    if (path === undefined) return undefined
    try {
      const file = new JsonFile(path)
      const build = storedBuild.safeParse(file.root.value).data
      return build && { build, file }
    } catch {
      return undefined
    }
  }

  /** Keeps a build: in memory if the folder cannot be written to. */
  async write(code: ChainCode, build: StoredBuild): Promise<KeptBuild> {
    const path = this.#pathOf(code, 'json')
    if (path !== undefined && (await this.#replace(path, build))) return { build, file: new JsonFile(path) }
    const version = { modifiedAtMs: this.#host.now(), size: 0 }
    return { build, file: { path: '', root: new JsonValue(() => build), version } }
  }

  /** Whether these providers lacked a code within the last day. */
  async isAbsent(code: ChainCode, providers: string): Promise<boolean> {
    const path = this.#pathOf(code, 'absent')
    const known = jsonValue(path === undefined ? '' : await readFile(path, 'utf8').catch(() => ''))
    if (!isJsonObject(known) || known['providers'] !== providers) return false
    return this.#host.now() - Number(known['askedAtMs']) < ABSENT_MS
  }

  /** Remembers that these providers lack a code. */
  async writeAbsent(code: ChainCode, providers: string): Promise<void> {
    const path = this.#pathOf(code, 'absent')
    if (path !== undefined) await this.#replace(path, { providers, askedAtMs: this.#host.now() })
  }

  #pathOf({ chainId, codeHash }: ChainCode, ending: string): string | undefined {
    return this.#folder && join(this.#folder, String(chainId), `${codeHash}.${ending}`)
  }

  async #replace(path: string, content: unknown): Promise<boolean> {
    try {
      await mkdir(dirname(path), { recursive: true })
      await replaceFile({ path }, JSON.stringify(content))
      return true
    } catch {
      return false
    }
  }
}
