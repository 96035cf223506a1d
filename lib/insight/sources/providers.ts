/** Asks providers for the sources of a contract, and reads their answers. */

import * as z from 'zod'
import { isJsonObject, jsonValue } from '../../base/json-text.ts'
import type { SourceServer } from '../../config/source-options.ts'
import { SourceFault, compilerInput, readAnswer, sourceTexts } from './found-source.ts'
import type { CompilerInput, FoundSource } from './found-source.ts'
import type { RemoteContract } from './source-store.ts'

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

/** The members that Sourcify is asked for. */
const FIELDS = 'abi,compilation,stdJsonInput'

const verified = z.object({
  match: z.enum(['match', 'exact_match']),
  abi: z.unknown(),
  compilation: z.object({ compilerVersion: z.string(), name: z.string() }),
  stdJsonInput: compilerInput,
})

const minimal = z.union([
  z.object({ match: z.string().nullable() }),
  // A chain that it does not know has no contracts.
  z.object({ customCode: z.literal('unsupported_chain') }).transform(() => ({ match: null })),
])

/**
 * Reads an answer of Sourcify's API v2: `GET /v2/contract/{chainId}/{address}?fields=...` (ethereum/sourcify,
 * services/server/src/apiv2.yaml, "Get verified contract"; what the members hold is in services/utils/database-util.ts).
 * Undefined if the contract is not verified. @throws SourceFault
 */
export function readSourcify(json: unknown): FoundSource | undefined {
  if (readAnswer(minimal, json).match === null) return undefined
  const { compilation, stdJsonInput: input, abi } = readAnswer(verified, json)
  const { name, compilerVersion } = compilation
  return { name, compiler: compilerVersion.replace(/^v/, ''), input, abi }
}

const contract = z.object({
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

type Contract = z.output<typeof contract>

const answer = z.object({ status: z.string(), result: z.union([z.string(), z.array(z.unknown()).min(1)]) })

/** Milliseconds without questions after too many: the limits are per second. */
const RATE_PAUSE_MS = 2000

/**
 * Reads an answer of Etherscan's API v2: `module=contract&action=getsourcecode` (docs.etherscan.io, "Get Contract Source Code for
 * Verified Contract Source Codes" and "Common Error Messages"). Other explorers answer in the same form.
 * Undefined if the contract is not verified. @throws SourceFault
 */
function readEtherscan(json: unknown): FoundSource | undefined {
  const { result } = readAnswer(answer, json)
  if (typeof result === 'string') {
    if (/not verified/i.test(result)) return undefined
    const pause = /rate limit/i.test(result) ? RATE_PAUSE_MS : undefined
    throw new SourceFault(`it refused: ${result.replaceAll(/[\u0000-\u001F]/g, ' ').slice(0, 120)}`, pause)
  }
  const found = readAnswer(contract, result[0])
  if (found.SourceCode === '') return undefined
  const name = found.ContractName.replace(/^.*:/s, '')
  const compiler = found.CompilerVersion.replace(/^v/, '')
  return { name, compiler, input: inputOf(found, name), abi: jsonValue(found.ABI) }
}

/** The sources are a text, the JSON of several files, or standard JSON in a second pair of braces. */
function inputOf(found: Contract, name: string): CompilerInput {
  const text = found.SourceCode.trim()
  const isVyper = found.CompilerVersion.startsWith('vyper')
  const language = isVyper ? 'Vyper' : 'Solidity'
  const json = jsonValue(text.startsWith('{{') ? text.slice(1, -1) : text)
  if (isJsonObject(json) && 'sources' in json) return readAnswer(compilerInput, { language, ...json })
  const path = `${name}.${isVyper ? 'vy' : 'sol'}`
  const sources = isJsonObject(json)
    ? readAnswer(sourceTexts, json)
    : { [path]: { content: found.SourceCode } }
  return { language, sources, settings: settingsOf(found, Object.keys(sources)) }
}

function settingsOf({ OptimizationUsed, Runs, EVMVersion, Library }: Contract, paths: readonly string[]) {
  const libraries = Object.fromEntries(
    Library.split(';').map((one) => [one.replace(/:.*$/s, ''), one.replace(/^.*:/s, '')] as const),
  )
  return {
    optimizer: { enabled: OptimizationUsed === '1', runs: Number(Runs) },
    ...(/^default$/i.test(EVMVersion) ? {} : { evmVersion: EVMVersion.toLowerCase() }),
    // The answer does not say which file declares a library.
    ...(Library === '' ? {} : { libraries: Object.fromEntries(paths.map((path) => [path, libraries])) }),
  }
}
