/** Finds the sources of a fork's contracts in the background, once for each code. Their contracts then join the catalog. */

import * as z from 'zod'
import { Emitter } from '../../base/events.ts'
import type { Host } from '../../base/host.ts'
import { isJsonObject, jsonValue } from '../../base/json-text.ts'
import { reasonOf } from '../../base/system-errors.ts'
import type { SourceServer } from './options.ts'
import type { ContractCatalog } from '../../insight/artifacts/catalog.ts'
import { indexBuild } from '../../insight/artifacts/indexed-file.ts'
import type { Compilers } from './compiler.ts'
import {
  SourceFault,
  compilerInput,
  readAnswer,
  sourceTexts,
  type CompilerInput,
  type FoundSource,
} from './found-source.ts'
import type { RemoteContract } from '../../insight/explain/explained-call.ts'
import type { KeptBuild, SourceStore } from './source-store.ts'

interface RemoteSourceDependencies {
  readonly servers: readonly SourceServer[]
  readonly etherscanKey: string | undefined
  /** Gets the JSON at a URL. @throws SourceFault for any other answer */
  readonly getJson: (url: URL, signal: AbortSignal) => Promise<unknown>
  readonly catalog: ContractCatalog
  readonly compilers: Compilers
  readonly store: SourceStore
  readonly host: Host
}

/** After a failure, a server is not asked for this many milliseconds. */
const PAUSE_MS = 60_000

/** Number of codes that are searched at a time. */
const LANES = 3

export class RemoteSources {
  /** Emitted with a sentence for the user, once for each fault. */
  readonly failed = new Emitter<string>()
  readonly #dependencies: RemoteSourceDependencies
  /** Chains and codes that were searched. If a fault ended the search, it is removed. */
  readonly #searched = new Set<string>()
  /** Searches that run in sequence. */
  readonly #lanes: Promise<void>[] = []
  /** Milliseconds that explanations have waited for a search in vain. */
  readonly #outlasted = new WeakMap<Promise<void>, number>()
  readonly #pausedUntilMs = new Map<SourceServer, number>()
  readonly #told = new Set<string>()
  readonly #closing = new AbortController()

  constructor(dependencies: RemoteSourceDependencies) {
    this.#dependencies = dependencies
  }

  /** Begins to look for a contract, once. */
  want(contract: RemoteContract): void {
    const key = `${contract.chainId} ${contract.codeHash}`
    if (this.#searched.has(key)) return
    this.#searched.add(key)
    const lane = this.#searched.size % LANES
    this.#lanes[lane] = (this.#lanes[lane] ?? Promise.resolve()).then(async () => {
      if (!(await this.#search(contract))) this.#searched.delete(key)
    })
  }

  /** Runs an explanation, and runs it again if missing contracts were found in time. For each search it waits only once. */
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

  /** Returns whether the search is final. Never rejects. */
  async #search(contract: RemoteContract): Promise<boolean> {
    const { catalog, servers, store } = this.#dependencies
    if (this.#closing.signal.aborted) return false
    const names = namesOf(servers)
    try {
      const kept = store.read(contract)
      if (kept === undefined && (await store.isAbsent(contract, names))) return true
      const answer = kept === undefined ? await this.#find(contract) : await this.#withLines(kept, contract)
      if (answer === 'later') return false
      // Without a server nothing was learned.
      if (answer === 'absent' && servers.length === 0) return true
      if (answer === 'absent') await store.writeAbsent(contract, names)
      else catalog.add(indexBuild(answer.file, answer.build.hint))
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

  /** A kept build. If its compiler is available by now, the build is compiled. */
  async #withLines(kept: KeptBuild, contract: RemoteContract): Promise<KeptBuild> {
    const { solcLongVersion: compiler, hint, ...source } = kept.build
    if (hint === undefined) return kept
    const { compilers, store } = this.#dependencies
    const uncompiled = { ...source, compiler, abi: undefined }
    const { build } = await compilers.checkedBuild(uncompiled, contract.code)
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

/**
 * Asks a server for the verified contract at an address; undefined if it has none.
 * @param getJson gets the JSON at a URL
 * @throws SourceFault, and what `getJson` throws
 */
export async function askServer(
  { kind, url }: SourceServer,
  { chainId, address }: RemoteContract,
  etherscanKey: string | undefined,
  getJson: (url: URL) => Promise<unknown>,
): Promise<FoundSource | undefined> {
  const base = url.replace(/\/$/, '')
  if (kind === 'sourcify')
    return readSourcify(await getJson(new URL(`${base}/v2/contract/${chainId}/${address}?fields=${FIELDS}`)))
  const asked = new URL(base)
  const query = { chainid: String(chainId), module: 'contract', action: 'getsourcecode', address }
  for (const [name, value] of Object.entries({ ...query, apikey: etherscanKey ?? '' }))
    asked.searchParams.set(name, value)
  return readEtherscan(await getJson(asked))
}

/** The members to ask Sourcify for. */
const FIELDS = 'abi,compilation,stdJsonInput'

const sourcifyContract = z.object({
  match: z.enum(['match', 'exact_match']),
  abi: z.unknown(),
  compilation: z.object({ compilerVersion: z.string(), name: z.string() }),
  stdJsonInput: compilerInput,
})

const sourcifyMatch = z.union([
  z.object({ match: z.string().nullable() }),
  // An unknown chain has no contracts.
  z.object({ customCode: z.literal('unsupported_chain') }).transform(() => ({ match: null })),
])

/**
 * Reads an answer of Sourcify's API v2: `GET /v2/contract/{chainId}/{address}?fields=...` (ethereum/sourcify,
 * services/server/src/apiv2.yaml, "Get verified contract"; what the members hold is in services/utils/database-util.ts).
 * Undefined if the contract is not verified. @throws SourceFault
 */
export function readSourcify(json: unknown): FoundSource | undefined {
  if (readAnswer(sourcifyMatch, json).match === null) return undefined
  const { compilation, stdJsonInput: input, abi } = readAnswer(sourcifyContract, json)
  const { name, compilerVersion } = compilation
  return { name, compiler: compilerVersion.replace(/^v/, ''), input, abi }
}

const etherscanContract = z.object({
  SourceCode: z.string(),
  ABI: z.string(),
  ContractName: z.string(),
  CompilerVersion: z.string(),
  OptimizationUsed: z.string().default('0'),
  Runs: z.string().default('200'),
  EVMVersion: z.string().default('Default'),
  /** `name:address` of libraries, with semicolons between. */
  Library: z.string().default(''),
})

type EtherscanContract = z.output<typeof etherscanContract>

const etherscanAnswer = z.object({
  status: z.string(),
  result: z.union([z.string(), z.array(z.unknown()).min(1)]),
})

/** Milliseconds without questions after too many: the limits are per second. */
const RATE_PAUSE_MS = 2000

/**
 * Reads an answer of Etherscan's API v2: `module=contract&action=getsourcecode` (docs.etherscan.io, "Get Contract Source Code for
 * Verified Contract Source Codes" and "Common Error Messages"). Other explorers use the same form. Undefined if the contract is not
 * verified. @throws SourceFault
 */
function readEtherscan(json: unknown): FoundSource | undefined {
  const { result } = readAnswer(etherscanAnswer, json)
  if (typeof result === 'string') {
    if (/not verified/i.test(result)) return undefined
    const pause = /rate limit/i.test(result) ? RATE_PAUSE_MS : undefined
    throw new SourceFault(`it refused: ${result.replaceAll(/[\u0000-\u001F]/g, ' ').slice(0, 120)}`, pause)
  }
  const contract = readAnswer(etherscanContract, result[0])
  if (contract.SourceCode === '') return undefined
  const name = contract.ContractName.replace(/^.*:/s, '')
  const compiler = contract.CompilerVersion.replace(/^v/, '')
  return { name, compiler, input: inputOf(contract, name), abi: jsonValue(contract.ABI) }
}

/** The sources are one text, a JSON of several files, or standard JSON in a second pair of braces. */
function inputOf(contract: EtherscanContract, name: string): CompilerInput {
  const text = contract.SourceCode.trim()
  const isVyper = contract.CompilerVersion.startsWith('vyper')
  const language = isVyper ? 'Vyper' : 'Solidity'
  const json = jsonValue(text.startsWith('{{') ? text.slice(1, -1) : text)
  if (isJsonObject(json) && 'sources' in json) return readAnswer(compilerInput, { language, ...json })
  const path = `${name}.${isVyper ? 'vy' : 'sol'}`
  const sources = isJsonObject(json)
    ? readAnswer(sourceTexts, json)
    : { [path]: { content: contract.SourceCode } }
  return { language, sources, settings: settingsOf(contract, Object.keys(sources)) }
}

function settingsOf(
  { OptimizationUsed, Runs, EVMVersion, Library }: EtherscanContract,
  paths: readonly string[],
) {
  const libraries = Object.fromEntries(
    Library.split(';').map(
      (library) => [library.replace(/:.*$/s, ''), library.replace(/^.*:/s, '')] as const,
    ),
  )
  return {
    optimizer: { enabled: OptimizationUsed === '1', runs: Number(Runs) },
    ...(/^default$/i.test(EVMVersion) ? {} : { evmVersion: EVMVersion.toLowerCase() }),
    // The answer does not say which file declares a library.
    ...(Library === '' ? {} : { libraries: Object.fromEntries(paths.map((path) => [path, libraries])) }),
  }
}
