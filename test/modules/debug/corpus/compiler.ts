/** Pipelines of the compiler, each with what it makes of the corpus; outputs are kept in .cache by all that they depend on. */

import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { packagesFolder } from '../../../support/packed-command.ts'
import { solcPackage } from '../../../support/packages.ts'
import { NEWEST, OUTPUTS, VERSION_OF_HARDHAT } from '../../../support/solc.ts'
import type { SolcInput } from '../../../support/solc.ts'

/** A version of the compiler and its settings. */
export interface Pipeline {
  readonly version: string
  readonly name: string
  readonly settings: object
  /** Share of the values that the debugger must know. */
  readonly floor: number
  /** Runs only with UPDATE_SHARES=1: a pipeline beside it, of another version or with other settings, finds nearly the same faults. */
  readonly isOptional?: true
}

const optimizer = { enabled: true, runs: 200 }
const debug = { debugInfo: ['location', 'snippet', 'ethdebug'] }

const legacy = (version: string): Pipeline => ({ version, name: 'legacy', settings: {}, floor: 0.99 })

const optimized = (version: string): Pipeline => ({
  version,
  name: 'legacy, optimizer',
  settings: { optimizer },
  floor: 0.8,
})

const optimizedIr = (version: string): Pipeline => ({
  version,
  name: 'viaIR, optimizer',
  settings: { viaIR: true, optimizer },
  floor: 0,
  isOptional: true,
})

/** All pipelines. */
export const PIPELINES: readonly Pipeline[] = [
  { ...legacy('0.7.6'), isOptional: true },
  { ...optimized('0.7.6'), isOptional: true },
  legacy(VERSION_OF_HARDHAT),
  { ...optimized(VERSION_OF_HARDHAT), isOptional: true },
  {
    version: VERSION_OF_HARDHAT,
    name: 'viaIR',
    settings: { viaIR: true },
    floor: 0.7,
    isOptional: true,
  },
  optimizedIr(VERSION_OF_HARDHAT),
  { ...legacy(NEWEST), isOptional: true },
  optimized(NEWEST),
  {
    version: NEWEST,
    name: 'viaIR, ETHDebug',
    settings: { viaIR: true, experimental: true, debug },
    floor: 0.7,
  },
  optimizedIr(NEWEST),
]

/** Path of the package of a version. The oldest one is installed when it is needed. */
async function packageOf(version: string): Promise<string> {
  const require = createRequire(import.meta.url)
  if (version === NEWEST) return require.resolve('solc')
  if (version === VERSION_OF_HARDHAT)
    return createRequire(require.resolve('hardhat/package.json')).resolve('solc')
  return join(await packagesFolder(solcPackage(version)), 'node_modules/solc')
}

/** The input for sources with their contents. */
export function inputOf(
  sources: readonly (readonly [path: string, content: string])[],
  version: string,
  settings: object,
): SolcInput {
  const evmVersion = version === '0.7.6' ? 'istanbul' : 'cancun'
  return {
    language: 'Solidity',
    sources: Object.fromEntries(sources.map(([path, content]) => [path, { content }])),
    settings: { evmVersion, ...settings, outputSelection: { '*': { '*': OUTPUTS, '': ['ast'] } } },
  }
}

const cache = join(import.meta.dirname, '../../../../.cache/debug-corpus')

/** The output for an input that is compiled only once. */
export const outputOnce = async (input: SolcInput, version: string): Promise<any> =>
  compile(JSON.stringify(input), await packageOf(version))

/** The output for an input. */
export async function outputOf(input: SolcInput, version: string): Promise<any> {
  const body = JSON.stringify(input)
  const file = join(
    cache,
    `${createHash('sha256').update(version).update(body).digest('hex').slice(0, 16)}.json`,
  )
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'))
  const output = await compile(body, await packageOf(version))
  mkdirSync(cache, { recursive: true })
  writeFileSync(file, JSON.stringify(output))
  return output
}

const COMPILE = `process.stdout.write(require(process.argv[1]).compile(require('fs').readFileSync(0, 'utf8')))`

/** Compiles in a process of its own: one process with several versions becomes slow. */
async function compile(body: string, path: string): Promise<any> {
  const child = spawn(process.execPath, ['-e', COMPILE, path], { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(body)
  const output = JSON.parse(await text(child.stdout))
  const errors = (output.errors ?? []).filter(({ severity }: any) => severity === 'error')
  if (errors.length > 0) throw new Error(errors.map((one: any) => one.formattedMessage).join('\n'))
  return output
}
