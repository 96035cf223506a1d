/**
 * Finds the sources of contracts that a fork has from its remote: each code is looked for once, in the background, and its contract
 * joins the catalog.
 */

import { Emitter } from '../../base/events.ts'
import type { Host } from '../../base/host.ts'
import { reasonOf } from '../../base/system-errors.ts'
import type { SourceServer } from '../../config/source-options.ts'
import type { ContractCatalog } from '../artifacts/catalog.ts'
import { indexBuild } from '../artifacts/indexed-file.ts'
import type { Compilers } from './compiler.ts'
import { SourceFault } from './found-source.ts'
import { askServer } from './providers.ts'
import type { KeptBuild, RemoteContract, SourceStore } from './source-store.ts'

interface RemoteSourceDependencies {
  readonly servers: readonly SourceServer[]
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
  /** Chains and codes. One whose search a fault has ended is removed. */
  readonly #searched = new Set<string>()
  /** Searches that run one after the other. */
  readonly #lanes: Promise<void>[] = []
  /** Milliseconds that were waited for a search in vain. */
  readonly #outlasted = new WeakMap<Promise<void>, number>()
  readonly #pausedUntilMs = new Map<SourceServer, number>()
  readonly #told = new Set<string>()
  readonly #closing = new AbortController()

  constructor(dependencies: RemoteSourceDependencies) {
    this.#dependencies = dependencies
  }

  /** Begins to look for a contract, unless that has been done before. */
  want(contract: RemoteContract): void {
    const key = `${contract.chainId} ${contract.codeHash}`
    if (this.#searched.has(key)) return
    this.#searched.add(key)
    const lane = this.#searched.size % LANES
    this.#lanes[lane] = (this.#lanes[lane] ?? Promise.resolve()).then(async () => {
      if (!(await this.#search(contract))) this.#searched.delete(key)
    })
  }

  /** Runs an explanation, and again if contracts that it lacked were found within some time, which is waited once for a search. */
  async explained<T>(explain: () => T | Promise<T>, waitMs: number): Promise<T> {
    const { catalog, host } = this.#dependencies
    const before = catalog.contracts
    const first = await explain()
    const lanes = this.#lanes.filter((lane) => (this.#outlasted.get(lane) ?? 0) < waitMs)
    let cancel = (): void => undefined
    const isLate = new Promise<void>((resolve) => {
      cancel = host.schedule(waitMs, () => {
        for (const lane of lanes) this.#outlasted.set(lane, waitMs)
        resolve()
      })
    })
    await Promise.race([Promise.all(lanes), isLate])
    cancel()
    return catalog.contracts === before ? first : explain()
  }

  /** Ends the searches. */
  close(): void {
    this.#closing.abort()
    this.#dependencies.compilers.close()
  }

  /** Returns whether the search need not be repeated. Never rejects. */
  async #search(contract: RemoteContract): Promise<boolean> {
    const { catalog, servers, store } = this.#dependencies
    if (this.#closing.signal.aborted) return false
    const names = namesOf(servers)
    try {
      const kept = store.read(contract)
      if (kept === undefined && (await store.isAbsent(contract, names))) return true
      const found = kept === undefined ? await this.#find(contract) : await this.#withLines(kept, contract)
      if (found === 'later') return false
      // Without a server nothing was learned.
      if (found === 'absent' && servers.length === 0) return true
      if (found === 'absent') await store.writeAbsent(contract, names)
      else catalog.add(indexBuild(found.file, found.build.hint))
    } catch (error) {
      this.#tell(`sources of ${contract.address}: ${reasonOf(error)}`)
    }
    return true
  }

  async #find(contract: RemoteContract): Promise<KeptBuild | 'absent' | 'later'> {
    const { servers, etherscanKey, getJson, compilers, store, host } = this.#dependencies
    let isAnswered = true
    for (const server of servers) {
      if ((this.#pausedUntilMs.get(server) ?? -Infinity) > host.elapsed()) {
        isAnswered = false
        continue
      }
      try {
        const getAnswer = (url: URL) => getJson(url, this.#closing.signal)
        const source = await askServer(server, contract, etherscanKey, getAnswer)
        if (source === undefined) continue
        const build = await compilers.checkedBuild(source, contract.code)
        if (build.fault !== undefined)
          this.#tell(`${server.kind}: sources of ${contract.address}: ${build.fault}`)
        if (build.build !== undefined) return await store.write(contract, build.build)
      } catch (error) {
        isAnswered = false
        const pauseMs = error instanceof SourceFault ? error.pauseMs : undefined
        this.#pausedUntilMs.set(server, host.elapsed() + (pauseMs ?? PAUSE_MS))
        this.#tell(`${server.kind}: cannot read sources: ${reasonOf(error)}`)
      }
    }
    return isAnswered ? 'absent' : 'later'
  }

  /** A kept build, compiled if its compiler is there by now. */
  async #withLines(kept: KeptBuild, contract: RemoteContract): Promise<KeptBuild> {
    const { solcLongVersion: compiler, hint, ...source } = kept.build
    if (hint === undefined) return kept
    const { compilers, store } = this.#dependencies
    const found = { ...source, compiler, abi: undefined }
    const { build } = await compilers.checkedBuild(found, contract.code)
    return build === undefined || build.hint !== undefined ? kept : store.write(contract, build)
  }

  #tell(text: string): void {
    const { etherscanKey } = this.#dependencies
    const sentence = etherscanKey === undefined ? text : text.replaceAll(etherscanKey, '...')
    if (this.#told.has(sentence) || this.#closing.signal.aborted) return
    this.#told.add(sentence)
    this.failed.emit(`--sources: ${sentence}`)
  }
}

/** The servers, as the store remembers that they do not have a code: their URLs may hold keys. */
const namesOf = (servers: readonly SourceServer[]): string =>
  servers.map(({ kind, url }) => `${kind} ${new URL(url).host}`).join()
