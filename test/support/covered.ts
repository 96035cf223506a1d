/** The contracts of fixtures/covered on a node with coverage, and the calls whose counts were written down by hand. */

import { readFileSync } from 'node:fs'
import { cp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { encodeDeployData, encodeFunctionData } from 'viem'
import type { Hex } from 'viem'
import { createNode } from '../../lib/index.ts'
import type { OptionsInput } from '../../lib/modules/options.ts'
import { compilerRun } from '../insight/explain/failures/failing-contracts.ts'
import type { CompilerSetup } from '../insight/explain/failures/failing-contracts.ts'
import { standardJson, writeInto, writeProject } from './artifact-projects.ts'
import type { SolcRun } from './artifact-projects.ts'

export const COVERED = 'contracts/Covered.sol'

/** The source of the examples. */
export const coveredSource = readFileSync(
  join(import.meta.dirname, '../../fixtures/covered/Covered.sol'),
  'utf8',
)

/** The counts in the comments of the source, by line. */
export const expectedLines: Readonly<Record<number, number>> = Object.fromEntries(
  coveredSource
    .split('\n')
    .map((text, index) => [index + 1, / \/\/ (\d+)$/.exec(text)?.[1]] as const)
    .flatMap(([line, count]) => (count === undefined ? [] : [[line, Number(count)]])),
)

/** Writes the source and the tests in Solidity into a project. */
export async function writeCovered(folder: string): Promise<void> {
  await writeInto(folder, COVERED, coveredSource)
  await cp(join(import.meta.dirname, '../../fixtures/covered/forge'), join(folder, 'test'), {
    recursive: true,
  })
}

/** The project as the compiler describes it. */
export const compileCovered = (setup: CompilerSetup): Promise<SolcRun> =>
  compilerRun(setup, { [COVERED]: coveredSource })

/** A node with the artifacts of a run of the compiler. */
export interface CoveredScene {
  /** The folder with the artifacts, in which there is room for other files. */
  readonly folder: string
  readonly request: (method: string, params?: readonly unknown[]) => Promise<any>
  /** Deploys a contract; its address. Libraries are linked to the last ones deployed. */
  readonly deploy: (name: string, ...given: readonly unknown[]) => Promise<Hex>
  /** Sends a transaction; whether it succeeds. */
  readonly send: (name: string, to: Hex, method: string, ...given: readonly unknown[]) => Promise<boolean>
  readonly call: (name: string, to: Hex, method: string, ...given: readonly unknown[]) => Promise<boolean>
}

/** Opens a node, runs a test, and closes the node. */
export async function withCovered(
  run: SolcRun,
  options: OptionsInput,
  test: (scene: CoveredScene, worldOf: (id: string) => CoveredScene) => Promise<void>,
): Promise<void> {
  const folder = await writeProject(standardJson(run))
  try {
    await using node = await createNode({ network: 'ethereum', artifacts: [folder], ...options })
    const sceneFrom = (provider: typeof node.provider) =>
      sceneOf(folder, run, (method, params = []) => provider.request({ method, params }))
    await test(sceneFrom(node.provider), (id) => sceneFrom(node.world(id)))
  } finally {
    await rm(folder, { recursive: true })
  }
}

function sceneOf(folder: string, { output }: SolcRun, request: CoveredScene['request']): CoveredScene {
  const contracts = output.contracts[COVERED]!
  let library = '0'.repeat(40)
  const mined = async (fields: object): Promise<any> => {
    const [from] = await request('eth_accounts')
    await request('eth_sendTransaction', [{ from, gas: '0x2dc6c0', ...fields }]).catch(() => undefined)
    const { transactions } = await request('eth_getBlockByNumber', ['latest', false])
    return request('eth_getTransactionReceipt', [transactions[0]])
  }
  const dataOf = (name: string, method: string, given: readonly unknown[]): Hex => {
    // Plain data reaches receive and fallback.
    if (method === '') return given[0] as Hex
    const { abi } = contracts[name]!
    return encodeFunctionData({ abi: abi, functionName: method, args: given })
  }
  return {
    folder,
    request,
    deploy: async (name, ...args) => {
      const { abi, evm } = contracts[name]!
      const bytecode: Hex = `0x${evm.bytecode.object.replaceAll(/__\$.{34}\$__/g, library)}`
      const { contractAddress } = await mined({ data: encodeDeployData({ abi, bytecode, args }) })
      if (name === 'Sums') library = contractAddress.slice(2)
      return contractAddress
    },
    send: async (name, to, method, ...given) => {
      const { status } = await mined({ to, data: dataOf(name, method, given) })
      return status === '0x1'
    },
    call: async (name, to, method, ...given) =>
      request('eth_call', [{ to, data: dataOf(name, method, given) }, 'latest']).then(
        () => true,
        () => false,
      ),
  }
}

/** Calls of every kind, also failing ones. */
export async function useCovered({ deploy, send, call }: CoveredScene): Promise<void> {
  await deploy('Sums')
  const covered = await deploy('Covered')
  const other = await deploy('Other')
  await deploy('Derived')
  await send('Covered', covered, 'set', 5)
  await send('Covered', covered, 'set', 101)
  await send('Other', other, 'both')
  await send('Covered', covered, 'inherited')
  await send('Covered', covered, '', '0x')
  for (const a of [0, 5, 60, 20, 13]) await call('Covered', covered, 'classify', a)
  await call('Covered', covered, 'loops', 4)
  await call('Covered', covered, 'twice', 8)
  await call('Covered', covered, 'linked', 4)
  await call('Covered', covered, 'tried', 1)
  await call('Covered', covered, 'tried', 13)
  await call('Covered', covered, 'assembled', 2)
  await call('Covered', covered, 'assembled', 9)
  const part = await deploy('Part')
  await call('Part', part, 'half', 9)
  await call('Part', part, 'assembled', 9)
}
