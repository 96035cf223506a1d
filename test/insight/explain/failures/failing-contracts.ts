/**
 * The contracts of fixtures/failures, compiled with three versions of solc and all pipelines: those of the versions that
 * are installed are fixtures, the others are compiled once and kept in .cache.
 */

import { mkdir, readFile, readdir, rename, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type {
  CompiledCode,
  CompiledContract,
  SourceUnit,
} from '../../../../lib/insight/artifacts/compilation.ts'
import { fromHex } from '../../../../lib/base/hex.ts'
import { packagesFolder } from '../../../support/packed-command.ts'
import { solcPackage } from '../../../support/packages.ts'
import { NEWEST, OUTPUTS, VERSION_OF_HARDHAT, compileNow, compiled, fileOf } from '../../../support/solc.ts'
import type { SolcInput } from '../../../support/solc.ts'

const projectFolder = join(import.meta.dirname, '../../../..')
const sourceFolder = join(projectFolder, 'fixtures', 'failures')
const cacheFolder = join(projectFolder, '.cache')

/** A version of solc with settings. */
export interface CompilerSetup {
  readonly version: string
  readonly isOptimized: boolean
  readonly viaIr: boolean
}

const PIPELINES = [
  { isOptimized: false, viaIr: false },
  { isOptimized: true, viaIr: false },
  { isOptimized: false, viaIr: true },
  { isOptimized: true, viaIr: true },
]

/** Versions with the EVM that they compile for. */
const EVM_VERSIONS: Readonly<Record<string, string>> = {
  '0.7.6': 'istanbul',
  [VERSION_OF_HARDHAT]: 'cancun',
  [NEWEST]: 'cancun',
}

/** The setup of the tests that need no compiler. */
export const PLAIN: CompilerSetup = { version: NEWEST, isOptimized: false, viaIr: false }

/** Every setup. The new pipeline of 0.7.6 was an experiment, and both older versions optimize as the newest does. */
export const ALL_SETUPS: readonly CompilerSetup[] = [
  { version: '0.7.6', isOptimized: false, viaIr: false },
  { version: VERSION_OF_HARDHAT, isOptimized: false, viaIr: false },
  ...PIPELINES.map((pipeline) => ({ version: NEWEST, ...pipeline })),
]

/** The setup in a few words. */
export const setupName = ({ version, isOptimized, viaIr }: CompilerSetup): string =>
  `solc ${version}${isOptimized ? ', optimized' : ''}${viaIr ? ', via IR' : ''}`

/** The sources by path. */
export async function failingSources(): Promise<Readonly<Record<string, string>>> {
  const files = (await readdir(sourceFolder)).sort()
  const contents = await Promise.all(files.map((file) => readFile(join(sourceFolder, file), 'utf8')))
  return Object.fromEntries(files.map((file, index) => [file, contents[index]!]))
}

/** The lines that a comment `#name` names, by name, in all sources. */
export async function namedLines(): Promise<ReadonlyMap<string, number>> {
  const found = Object.values(await failingSources()).flatMap((content) =>
    content
      .split('\n')
      .flatMap((line, index) =>
        [...line.matchAll(/\/\/ #([\w-]+)/g)].map(([, name]) => [name!, index + 1] as const),
      ),
  )
  return new Map(found)
}

/** Standard JSON output and input of solc. */
export interface CompilerRun {
  readonly input: any
  readonly output: any
}

/** The failing contracts, or other sources, compiled with a setup. */
export async function compilerRun(
  setup: CompilerSetup,
  sources?: Readonly<Record<string, string>>,
): Promise<CompilerRun> {
  const input = inputOf(setup, sources ?? (await failingSources()))
  if (isInstalled(setup)) return { input, output: compiled(input, setup.version) }
  const cacheFile = join(cacheFolder, fileOf(input, setup.version).replace('.gz', ''))
  const cached = await readFile(cacheFile, 'utf8').catch(() => undefined)
  if (cached !== undefined) return { input, output: JSON.parse(cached) }
  const packages = join(await packagesFolder(solcPackage(setup.version)), 'package.json')
  const output = compileNow(input, createRequire(packages)('solc'))
  await mkdir(cacheFolder, { recursive: true })
  await writeFile(`${cacheFile}.${process.pid}`, JSON.stringify(output))
  await rename(`${cacheFile}.${process.pid}`, cacheFile)
  return { input, output }
}

/** Whether the result is in fixtures/compiled: the compiler is among the dependencies. */
const isInstalled = ({ version }: CompilerSetup): boolean => version !== '0.7.6'

/** The contracts of a run as the node knows them. */
export function contractsOf(
  setup: CompilerSetup,
  { input, output }: CompilerRun,
): readonly CompiledContract[] {
  const sources: SourceUnit[] = Object.entries<any>(output.sources).map(([path, { id, ast }]) => ({
    id,
    path,
    ast,
    content: input.sources[path].content,
  }))
  const compilation = {
    compiler: setup.version,
    language: 'Solidity' as const,
    settings: { isKnown: true, ...setup },
    sources,
    source: (id: number) => sources.find((unit) => unit.id === id),
  }
  return Object.entries<any>(output.contracts).flatMap(([path, contracts]) =>
    Object.entries<any>(contracts).map(([name, { abi, evm }]) => ({
      compilation,
      path,
      name,
      abi,
      creation: codeOf(evm.bytecode),
      runtime: codeOf(evm.deployedBytecode),
    })),
  )
}

function codeOf({
  object,
  sourceMap,
  generatedSources,
  linkReferences,
  immutableReferences,
}: any): CompiledCode | undefined {
  if (object === '') return undefined
  const links = Object.values<any>(linkReferences).flatMap((names) => Object.values<any>(names).flat())
  const masks = [...links, ...Object.values<any>(immutableReferences ?? {}).flat()]
  return {
    bytes: fromHex(`0x${object.replaceAll(/__\$.{34}\$__/g, '0'.repeat(40))}`),
    sourceMap,
    masks: masks.sort((one, other) => one.start - other.start),
    immutables: new Map(),
    generatedFiles: new Set((generatedSources ?? []).map(({ id }: any) => id)),
  }
}

function inputOf(
  { version, isOptimized, viaIr }: CompilerSetup,
  contents: Readonly<Record<string, string>>,
): SolcInput {
  const sources = Object.entries(contents).filter(
    ([path]) => path !== 'CustomErrors.sol' || version !== '0.7.6',
  )
  return {
    language: 'Solidity',
    sources: Object.fromEntries(sources.map(([path, content]) => [path, { content }])),
    settings: {
      optimizer: { enabled: isOptimized, runs: 200 },
      evmVersion: EVM_VERSIONS[version],
      ...(viaIr ? { viaIR: true } : {}),
      outputSelection: { '*': { '*': OUTPUTS, '': ['ast'] } },
    },
  }
}
