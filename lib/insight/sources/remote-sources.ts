/**
 * Finds the sources of contracts that a fork has from its remote: each code is looked for once, in the background, and its contract
 * joins the catalog.
 */

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Emitter } from '../../base/events.ts'
import { getOrAdd } from '../../base/get-or-add.ts'
import type { Address } from '../../base/hex.ts'
import type { Host } from '../../base/host.ts'
import { isJsonObject, jsonValue } from '../../base/json-text.ts'
import { reasonOf, whenMissing } from '../../base/system-errors.ts'
import type { SourceOrigin } from '../../config/source-options.ts'
import type { ContractCatalog } from '../artifacts/catalog.ts'
import { indexBuild } from '../artifacts/indexed-file.ts'
import type { Compilers } from './compiler.ts'
import { readEtherscan } from './etherscan.ts'
import { SourceFault } from './found-source.ts'
import type { FoundSource } from './found-source.ts'
import { SOURCIFY_FIELDS, readSourcify } from './sourcify.ts'
import { checkedBuild } from './checked-build.ts'
import type { ChainCode, KeptBuild, SourceStore } from './source-store.ts'

/** A contract of the remote. */
export interface RemoteContract extends ChainCode {
  readonly address: Address
  readonly code: Uint8Array
}

interface RemoteSourceDependencies {
  readonly places: readonly SourceOrigin[]
  readonly etherscanKey: string | undefined
  /** Gets the JSON at a URL. @throws SourceFault for every other answer */
  readonly getJson: (url: URL, signal: AbortSignal) => Promise<unknown>
  readonly catalog: ContractCatalog
  readonly compilers: Compilers
  readonly store: SourceStore
  readonly host: Host
}

/** Milliseconds for which a server is not asked after a failure. */
const PAUSE_MS = 60_000

/** Number of codes that are looked for at a time. */
const LANES = 3

/** The sources of the remote contracts of one node. */
export class RemoteSources {
  /** Emitted with a sentence for the user, once for each fault. */
  readonly failed = new Emitter<string>()
  readonly #dependencies: RemoteSourceDependencies
  /** By chain and code. A search that a fault has ended is removed. */
  readonly #searches = new Map<string, Promise<void>>()
  readonly #open = new Set<Promise<void>>()
  readonly #lanes: Promise<void>[] = Array.from({ length: LANES }, () => Promise.resolve())
  #count = 0
  readonly #pausedUntilMs = new Map<SourceOrigin, number>()
  readonly #told = new Set<string>()
  readonly #closing = new AbortController()

  constructor(dependencies: RemoteSourceDependencies) {
    this.#dependencies = dependencies
  }

  /** Begins to look for a contract, unless that has been done before. */
  want(contract: RemoteContract): void {
    const key = `${contract.chainId} ${contract.codeHash}`
    void getOrAdd(this.#searches, key, () => {
      const lane = this.#count++ % LANES
      const search = (this.#lanes[lane] ?? Promise.resolve()).then(async () => {
        const isDone = await this.#search(contract)
        if (!isDone) this.#searches.delete(key)
      })
      this.#lanes[lane] = search
      this.#open.add(search)
      void search.finally(() => this.#open.delete(search))
      return search
    })
  }

  /** Runs an explanation, and again if contracts that it lacked were found within some time. */
  async explained<T>(explain: () => T | Promise<T>, waitMs: number): Promise<T> {
    const { catalog, host } = this.#dependencies
    const before = catalog.contracts
    const first = await explain()
    if (this.#open.size > 0) {
      const isLate = new Promise<void>((resolve) => host.schedule(waitMs, resolve))
      await Promise.race([Promise.all(this.#open), isLate])
    }
    return catalog.contracts === before ? first : explain()
  }

  /** Ends the searches. */
  close(): void {
    this.#closing.abort()
    this.#dependencies.compilers.close()
  }

  /** Returns whether the search need not be repeated. Never rejects. */
  async #search(contract: RemoteContract): Promise<boolean> {
    const { catalog, places, store } = this.#dependencies
    if (this.#closing.signal.aborted) return false
    const names = places.map(nameOf).join()
    try {
      const kept = store.read(contract)
      if (kept === undefined && (await store.isAbsent(contract, names))) return true
      const found = kept === undefined ? await this.#find(contract) : await this.#withLines(kept, contract)
      if (found === 'later') return false
      if (found === 'absent') await store.writeAbsent(contract, names)
      else catalog.add(indexBuild(found.file, found.build.hint))
    } catch (error) {
      this.#tell(`sources of ${contract.address}: ${reasonOf(error)}`)
    }
    return true
  }

  async #find(contract: RemoteContract): Promise<KeptBuild | 'absent' | 'later'> {
    const { compilers, store, host } = this.#dependencies
    let isAnswered = true
    for (const place of this.#dependencies.places) {
      if ((this.#pausedUntilMs.get(place) ?? -Infinity) > host.elapsed()) {
        isAnswered = false
        continue
      }
      try {
        const source = await this.#ask(place, contract)
        if (source === undefined) continue
        const build = await checkedBuild(source, contract.code, { provider: nameOf(place), compilers })
        if (build.fault !== undefined)
          this.#tell(`${nameOf(place)}: sources of ${contract.address}: ${build.fault}`)
        if (build.build !== undefined) return await store.write(contract, build.build)
      } catch (error) {
        isAnswered = false
        const pauseMs = error instanceof SourceFault ? error.pauseMs : undefined
        this.#pausedUntilMs.set(place, host.elapsed() + (pauseMs ?? PAUSE_MS))
        this.#tell(`${nameOf(place)}: cannot read sources: ${reasonOf(error)}`)
      }
    }
    return isAnswered ? 'absent' : 'later'
  }

  /** A kept build, compiled if its compiler is there by now. */
  async #withLines(kept: KeptBuild, contract: RemoteContract): Promise<KeptBuild> {
    const { build, file } = kept
    if (build.hint === undefined) return { build, file }
    const { compilers, store } = this.#dependencies
    const { provider, solcLongVersion: compiler, ...source } = build
    const again = await checkedBuild({ ...source, compiler, abi: undefined }, contract.code, {
      provider,
      compilers,
    })
    return again.build === undefined || again.build.hint !== undefined
      ? kept
      : store.write(contract, again.build)
  }

  async #ask(place: SourceOrigin, { chainId, address }: RemoteContract): Promise<FoundSource | undefined> {
    if (place.kind === 'folder') return readSaved(join(place.path, String(chainId), `${address}.json`))
    const { etherscanKey = '', getJson } = this.#dependencies
    const { signal } = this.#closing
    const base = place.url.replace(/\/$/, '')
    if (place.kind === 'sourcify')
      return readSourcify(
        await getJson(new URL(`${base}/v2/contract/${chainId}/${address}?fields=${SOURCIFY_FIELDS}`), signal),
      )
    const url = new URL(base)
    const query = { chainid: String(chainId), module: 'contract', action: 'getsourcecode', address }
    for (const [name, value] of Object.entries({ ...query, apikey: etherscanKey }))
      url.searchParams.set(name, value)
    return readEtherscan(await getJson(url, signal))
  }

  #tell(text: string): void {
    const { etherscanKey } = this.#dependencies
    const sentence = etherscanKey === undefined ? text : text.replaceAll(etherscanKey, '...')
    if (this.#told.has(sentence) || this.#closing.signal.aborted) return
    this.#told.add(sentence)
    this.failed.emit(`--sources: ${sentence}`)
  }
}

/** A place as messages name it. */
const nameOf = (place: SourceOrigin): string => (place.kind === 'folder' ? place.path : place.kind)

/** An answer of a provider that a user has saved. @throws SourceFault */
async function readSaved(path: string): Promise<FoundSource | undefined> {
  const text = await readFile(path, 'utf8').catch(whenMissing(undefined))
  if (text === undefined) return undefined
  const json = jsonValue(text)
  if (json === undefined) throw new SourceFault(`${path} is not JSON`)
  return isJsonObject(json) && 'status' in json ? readEtherscan(json) : readSourcify(json)
}
