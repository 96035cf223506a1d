/** Compiles the contracts of fixtures/contracts with solc from npm, and caches the result under .cache/. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdir, readFile, readdir, rename, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Abi, Hex } from 'viem'

/** Every contract a test can ask for. */
export type ContractName =
  | 'Council'
  | 'CouncilTimelock'
  | 'Deposits'
  | 'GameItem'
  | 'GameToken'
  | 'GasMeter'
  | 'Natives'
  | 'Reverter'
  | 'Storage'
  | 'SwapPair'
  | 'Talker'
  | 'Traced'
  | 'Tracer'
  | 'Vault'
  | 'VoteToken'

/** The compiler's output for one contract. */
export interface CompiledContract {
  readonly abi: Abi
  /** Creation code without constructor arguments. */
  readonly bytecode: Hex
  readonly deployedBytecode: Hex
}

/** The compiled contracts by name. */
export type Contracts = Readonly<Record<ContractName, CompiledContract>>

const projectFolder = join(import.meta.dirname, '..', '..')
const sourceFolder = 'fixtures/contracts'
const cacheFolder = join(projectFolder, '.cache')
const require = createRequire(import.meta.url)

/**
 * Reads the compiled contracts from the cache, or compiles them first, which takes some five seconds.
 * Two processes that compile at the same time write the same file, each in one step.
 */
export async function loadContracts(): Promise<Contracts> {
  const input = await compilerInput()
  const cacheFile = join(cacheFolder, `contracts-${keyOf(input)}.json`)
  const cached = await readFile(cacheFile, 'utf8').catch(() => undefined)
  if (cached !== undefined) return JSON.parse(cached) as Contracts
  const contracts = contractsIn(await compile(input))
  await mkdir(cacheFolder, { recursive: true })
  const unfinished = `${cacheFile}.${process.pid}`
  await writeFile(unfinished, JSON.stringify(contracts))
  await rename(unfinished, cacheFile)
  return contracts
}

/** The standard JSON input of solc, as text. */
async function compilerInput(): Promise<string> {
  const files = await readdir(join(projectFolder, sourceFolder))
  const sources: Record<string, { content: string }> = {}
  for (const file of files.filter((name) => name.endsWith('.sol')).sort()) {
    const path = `${sourceFolder}/${file}`
    sources[path] = { content: await readFile(join(projectFolder, path), 'utf8') }
  }
  const settings = JSON.parse(await readFile(join(projectFolder, sourceFolder, 'compiler.json'), 'utf8'))
  const outputSelection = { '*': { '*': ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object'] } }
  return JSON.stringify({ language: 'Solidity', sources, settings: { ...settings, outputSelection } })
}

function keyOf(input: string): string {
  const versions = ['solc/package.json', '@openzeppelin/contracts/package.json'].map(
    (file) => (require(file) as { version: string }).version,
  )
  return createHash('sha256')
    .update([...versions, input].join('\n'))
    .digest('hex')
    .slice(0, 16)
}

async function compile(input: string): Promise<CompilerOutput> {
  // Eight megabytes of WebAssembly: loaded only if the cache has no result.
  const { default: solc } = await import('solc')
  return JSON.parse(solc.compile(input, { import: readImport })) as CompilerOutput
}

/** Answers an import such as `@openzeppelin/contracts/access/Ownable.sol` from the installed package. */
function readImport(path: string): { contents: string } | { error: string } {
  try {
    return { contents: readFileSync(require.resolve(path), 'utf8') }
  } catch (error) {
    return { error: String(error) }
  }
}

interface CompilerOutput {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[]
  readonly contracts: Readonly<Record<string, Readonly<Record<string, CompilerContract>>>>
}

interface CompilerContract {
  readonly abi: Abi
  readonly evm: {
    readonly bytecode: { readonly object: string }
    readonly deployedBytecode: { readonly object: string }
  }
}

/** The contracts of fixtures/contracts, without the imported ones. */
function contractsIn(output: CompilerOutput): Contracts {
  const errors = (output.errors ?? []).filter(({ severity }) => severity === 'error')
  if (errors.length > 0) throw new Error(errors.map(({ formattedMessage }) => formattedMessage).join('\n'))
  const own = Object.entries(output.contracts).filter(([path]) => path.startsWith(`${sourceFolder}/`))
  const compiled = own.flatMap(([, contracts]) => Object.entries(contracts))
  // The names are those of the files above; a test that asks for a missing one fails at once.
  return Object.fromEntries(compiled.map(([name, contract]) => [name, withPrefixes(contract)])) as Contracts
}

function withPrefixes({ abi, evm }: CompilerContract): CompiledContract {
  return { abi, bytecode: `0x${evm.bytecode.object}`, deployedBytecode: `0x${evm.deployedBytecode.object}` }
}
