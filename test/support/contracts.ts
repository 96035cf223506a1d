/** The contracts of fixtures/contracts, as the compiler compiled them. */
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Abi, Hex } from 'viem'
import { compiled } from './solc.ts'

/** Every contract a test can ask for. */
export type ContractName =
  | 'Council'
  | 'CouncilTimelock'
  | 'Deposits'
  | 'GameItem'
  | 'GameToken'
  | 'GasMeter'
  | 'Liquidity'
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

const folder = join(import.meta.dirname, '../../fixtures/contracts')
const sourceFolder = 'fixtures/contracts'

/** Reads the compiled contracts. */
export async function loadContracts(): Promise<Contracts> {
  const names = readdirSync(folder).filter((name) => name.endsWith('.sol'))
  const sources = names.sort().map((name) => {
    return [`${sourceFolder}/${name}`, { content: readFileSync(join(folder, name), 'utf8') }] as const
  })
  const settings = JSON.parse(readFileSync(join(folder, 'compiler.json'), 'utf8'))
  const outputs = ['abi', 'metadata', 'evm.bytecode.object', 'evm.deployedBytecode.object']
  const outputSelection = Object.fromEntries(sources.map(([path]) => [path, { '*': outputs }]))
  const output = compiled({
    language: 'Solidity',
    sources: Object.fromEntries(sources),
    settings: { ...settings, outputSelection },
  })
  return contractsIn(output.contracts)
}

interface CompilerContract {
  readonly abi: Abi
  readonly evm: {
    readonly bytecode: { readonly object: string }
    readonly deployedBytecode: { readonly object: string }
  }
}

/** The contracts of all sources. */
function contractsIn(
  output: Readonly<Record<string, Readonly<Record<string, CompilerContract>>>>,
): Contracts {
  const found = Object.values(output).flatMap((contracts) => Object.entries(contracts))
  // The names are those of the files above; a test that asks for a missing one fails at once.
  return Object.fromEntries(found.map(([name, contract]) => [name, withPrefixes(contract)])) as Contracts
}

function withPrefixes({ abi, evm }: CompilerContract): CompiledContract {
  return { abi, bytecode: `0x${evm.bytecode.object}`, deployedBytecode: `0x${evm.deployedBytecode.object}` }
}
