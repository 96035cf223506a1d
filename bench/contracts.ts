/** Compiles the contracts of the benchmarks with solc from npm, and keeps the result in .cache/bench. */

import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { CACHE, ROOT } from './folders.ts'

const SOURCE = join(ROOT, 'bench', 'contracts', 'Bench.sol')

/** The newest version that Ganache has. */
const EVM_VERSION = 'shanghai'

const require = createRequire(join(ROOT, 'package.json'))

/** Creation code by contract, with 0x. */
export interface BenchContracts {
  readonly Token: string
  readonly Loops: string
  readonly Market: string
  readonly Slots: string
}

/** The compiled contracts. The first call of a checkout takes some seconds. */
export function loadBenchContracts(): BenchContracts {
  const content = readFileSync(SOURCE, 'utf8')
  const key = createHash('sha256').update(content).digest('hex').slice(0, 16)
  const file = join(CACHE, `contracts-${key}.json`)
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as BenchContracts
  } catch {
    const contracts = compile(content)
    mkdirSync(CACHE, { recursive: true })
    writeFileSync(file, JSON.stringify(contracts))
    return contracts
  }
}

interface CompilerOutput {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[]
  readonly contracts: Readonly<
    Record<
      string,
      Readonly<Record<string, { readonly evm: { readonly bytecode: { readonly object: string } } }>>
    >
  >
}

function compile(content: string): BenchContracts {
  const settings = {
    optimizer: { enabled: true, runs: 200 },
    evmVersion: EVM_VERSION,
    outputSelection: { '*': { '*': ['evm.bytecode.object'] } },
  }
  const input = { language: 'Solidity', sources: { 'Bench.sol': { content } }, settings }
  const output = JSON.parse(
    require('solc').compile(JSON.stringify(input), {
      import: (path: string) => ({ contents: readFileSync(require.resolve(path), 'utf8') }),
    }),
  ) as CompilerOutput
  const errors = (output.errors ?? []).filter(({ severity }) => severity === 'error')
  if (errors.length > 0) throw new Error(errors.map(({ formattedMessage }) => formattedMessage).join('\n'))
  const codeOf = (name: string): string => `0x${output.contracts['Bench.sol']![name]!.evm.bytecode.object}`
  return {
    Token: codeOf('Token'),
    Loops: codeOf('Loops'),
    Market: codeOf('Market'),
    Slots: codeOf('Slots'),
  }
}
