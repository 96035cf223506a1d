/** Compiles the contracts of fixtures/failures with three versions of solc and all pipelines, and caches the result. */

import { createHash } from 'node:crypto'
import { mkdir, readFile, readdir, rename, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { CompiledCode, CompiledContract, SourceUnit } from '../../lib/artifacts/compilation.ts'
import { fromHex } from '../../lib/base/hex.ts'
import { packagesFolder } from './packed-command.ts'
import { solcPackage } from './packages.ts'

const projectFolder = join(import.meta.dirname, '..', '..')
const sourceFolder = join(projectFolder, 'fixtures', 'failures')
const cacheFolder = join(projectFolder, '.cache')
const require = createRequire(import.meta.url)

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
  '0.8.26': 'cancun',
  '0.8.37': 'cancun',
}

/** Every setup that is tested. The new pipeline of 0.7.6 was an experiment. */
export const SETUPS: readonly CompilerSetup[] = Object.keys(EVM_VERSIONS).flatMap((version) =>
  PIPELINES.filter(({ viaIr }) => !viaIr || version !== '0.7.6').map((pipeline) => ({
    version,
    ...pipeline,
  })),
)

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

/** Compiles the failing contracts, or other sources, with a setup, or reads the result of an earlier time. */
export async function compilerRun(
  setup: CompilerSetup,
  sources?: Readonly<Record<string, string>>,
): Promise<CompilerRun> {
  const input = JSON.stringify(inputOf(setup, sources ?? (await failingSources())))
  const key = createHash('sha256').update(setup.version).update(input).digest('hex').slice(0, 16)
  const cacheFile = join(cacheFolder, `failures-${key}.json`)
  const cached = await readFile(cacheFile, 'utf8').catch(() => undefined)
  const text = cached ?? (await compilerOf(setup.version)).compile(input)
  const output = JSON.parse(text)
  const errors = (output.errors ?? []).filter(({ severity }: any) => severity === 'error')
  if (errors.length > 0) throw new Error(errors.map((one: any) => one.formattedMessage).join('\n'))
  if (cached === undefined) {
    await mkdir(cacheFolder, { recursive: true })
    await writeFile(`${cacheFile}.${process.pid}`, text)
    await rename(`${cacheFile}.${process.pid}`, cacheFile)
  }
  return { input: JSON.parse(input), output }
}

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
    settings: setup,
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
      storageLayout: undefined,
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
    generatedSources: (generatedSources ?? []).map(({ id, name, contents, ast }: any) => ({
      id,
      ast,
      path: name,
      content: contents,
    })),
  }
}

async function compilerOf(version: string): Promise<{ compile: (input: string) => string }> {
  const ofHardhat = createRequire(require.resolve('hardhat/package.json'))
  for (const from of [require, ofHardhat]) {
    if (from('solc/package.json').version === version) return from('solc')
  }
  return createRequire(join(await packagesFolder(solcPackage(version)), 'package.json'))('solc')
}

function inputOf(
  { version, isOptimized, viaIr }: CompilerSetup,
  contents: Readonly<Record<string, string>>,
): object {
  const sources = Object.entries(contents).filter(
    ([path]) => path !== 'CustomErrors.sol' || version !== '0.7.6',
  )
  const outputs = ['abi', 'evm.bytecode', 'evm.deployedBytecode', 'evm.methodIdentifiers']
  return {
    language: 'Solidity',
    sources: Object.fromEntries(sources.map(([path, content]) => [path, { content }])),
    settings: {
      optimizer: { enabled: isOptimized, runs: 200 },
      evmVersion: EVM_VERSIONS[version],
      ...(viaIr ? { viaIR: true } : {}),
      outputSelection: { '*': { '*': outputs, '': ['ast'] } },
    },
  }
}
