/**
 * Reads answers of Etherscan's API v2: `module=contract&action=getsourcecode` (docs.etherscan.io, "Get Contract Source Code for
 * Verified Contract Source Codes" and "Common Error Messages"). Other explorers answer in the same form.
 */

import * as z from 'zod'
import { isJsonObject, jsonValue } from '../../base/json-text.ts'
import { SourceFault, compilerInput, readAnswer, sourceTexts } from './found-source.ts'
import type { CompilerInput, FoundSource } from './found-source.ts'

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

/** The verified contract of an answer; undefined if it is not verified. @throws SourceFault */
export function readEtherscan(json: unknown): FoundSource | undefined {
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
