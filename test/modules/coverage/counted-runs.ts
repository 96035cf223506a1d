/** Compares the coverage of random programs with what their twins count. */

import { rm } from 'node:fs/promises'
import { encodeFunctionData, hexToBytes, parseAbi } from 'viem'
import type { Hex } from 'viem'
import { createNode } from '../../../lib/embed/dev-node.ts'
import { standardJson, writeProject } from '../../support/artifact-projects.ts'
import { countedProgram } from './counted-programs.ts'
import type { CountedItem, CountedProgram } from './counted-programs.ts'
import { inputOf, outputOnce } from '../debug/corpus/compiler.ts'
import type { CompilerRun } from '../../insight/explain/failures/failing-contracts.ts'

const HEAD = '// SPDX-License-Identifier: MIT\npragma solidity >=0.7.6 <0.9.0;\n'
const ABI = parseAbi(['function f(uint256 a, uint256 b)', 'function run(uint256 a, uint256 b)'])

/** Params of the calls of each program. */
const CALLS = [
  [0n, 0n],
  [1n, 3n],
  [5n, 2n],
] as const

/** The differences between coverage and counters of the programs of some seeds: per program its text with comments at each. */
export async function differencesOf(seeds: readonly number[], version: string): Promise<readonly string[]> {
  const programs = seeds.map((seed) => countedProgram(seed, version))
  const { input, output } = await compilePrograms(programs, version)
  const folder = await writeProject(standardJson({ input, output }))
  try {
    await using node = await createNode({ network: 'ethereum', artifacts: [folder] })
    const request: Request = (method, params = []) => node.provider.request({ method, params })
    await request('dev_startCoverage')
    const counters = new Map<CountedProgram, readonly number[]>()
    const kept = programs.filter(({ name }) => pathsOf(name).every((path) => path in output.contracts))
    for (const program of kept) counters.set(program, await countsOf(request, output.contracts, program))
    const { istanbul } = await request('dev_coverage')
    return kept.flatMap((program) => {
      const [path] = pathsOf(program.name)
      return compare(program, istanbul[path], counters.get(program)!)
    })
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Paths of a program and of its twin, which coverage leaves out. */
const pathsOf = (name: string): readonly [string, string] => [
  `contracts/${name}.sol`,
  `contracts/${name}.t.sol`,
]

/** Compiles the programs without those that have too many variables for solc. */
async function compilePrograms(programs: readonly CountedProgram[], version: string): Promise<CompilerRun> {
  const sources = programs.flatMap(({ name, plain, twin }): readonly [string, string][] => {
    const [path, twinPath] = pathsOf(name)
    return [
      [path, HEAD + plain],
      [twinPath, HEAD + twin],
    ]
  })
  const input = inputOf(sources, version, {})
  try {
    return { input, output: await outputOnce(input, version) }
  } catch (error) {
    // Old versions name the place before the message, new ones after it.
    const [, old, found = old] =
      /(?:(P\d+)\.\S+: CompilerError: )?Stack too deep(?:[^]*?--> contracts\/(P\d+))?/.exec(String(error)) ??
      []
    if (found === undefined) throw error
    return compilePrograms(
      programs.filter(({ name }) => name !== found),
      version,
    )
  }
}

type Request = (method: string, params?: readonly unknown[]) => Promise<any>

/** Calls the program and its twin; the sums of the twin's counters. */
async function countsOf(
  request: Request,
  contracts: any,
  { name }: CountedProgram,
): Promise<readonly number[]> {
  const sums: number[] = []
  const accounts = pathsOf(name).map((path, index): readonly [Hex, string] => [
    `0x${(0x10000 + index).toString(16).padStart(40, '0')}`,
    contracts[path][name].evm.deployedBytecode.object,
  ])
  for (const [address, code] of accounts) await request('hardhat_setCode', [address, `0x${code}`])
  const [[plain], [twin]] = accounts as [(typeof accounts)[0], (typeof accounts)[0]]
  for (const args of CALLS) {
    const call = (to: Hex, functionName: 'f' | 'run'): Promise<Hex> =>
      request('eth_call', [{ to, data: encodeFunctionData({ abi: ABI, functionName, args }) }])
    await call(plain, 'f').catch(() => undefined)
    const counters = Buffer.from(hexToBytes(await call(twin, 'run')))
    for (let at = 0; at < counters.length; at += 32)
      sums[at / 32] = (sums[at / 32] ?? 0) + counters.readUInt32BE(at + 28)
  }
  return sums
}

/** The text with a comment at each line that differs; empty if none does. */
function compare(
  { plain, items }: CountedProgram,
  file: any,
  counters: readonly number[],
): readonly string[] {
  const lines = plain.split('\n')
  const head = HEAD.split('\n').length - 1
  const found = new Map<string, readonly number[]>()
  const add = (kind: CountedItem['kind'], map: any, counts: any, placeOf: (one: any) => any): void => {
    for (const [key, entry] of Object.entries<any>(map)) {
      const { line, column } = placeOf(entry).start
      found.set(`${kind} ${line - head} ${column}`, [counts[key]].flat())
    }
  }
  add('statement', file.statementMap, file.s, (one) => one)
  add('branch', file.branchMap, file.b, ({ loc }) => loc)
  add('function', file.fnMap, file.f, ({ decl }) => decl)
  let isDifferent = found.size !== items.length
  for (const { kind, line, column, counters: ids, isDropped } of items) {
    const counted = found.get(`${kind} ${line} ${column}`)
    const expected = ids.map((id) => counters[id]!)
    if (counted?.join() === expected.join()) continue
    if (isDropped && counted?.every((count, index) => count <= expected[index]!) === true) continue
    isDifferent = true
    lines[line - 1] =
      `${lines[line - 1]!} // ${kind} at ${column} is ${counted?.join()}, was ${expected.join()}`
  }
  return isDifferent ? [lines.join('\n')] : []
}
