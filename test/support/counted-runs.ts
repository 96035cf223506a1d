/** Compares the coverage of random programs with what their twins count. */

import { rm } from 'node:fs/promises'
import { encodeFunctionData, hexToBytes, parseAbi } from 'viem'
import type { Hex } from 'viem'
import { createNode } from '../../lib/embed/dev-node.ts'
import { standardJson, writeProject } from './artifact-projects.ts'
import { countedProgram } from './counted-programs.ts'
import type { CountedItem, CountedProgram } from './counted-programs.ts'
import { inputOf, outputOnce } from './debug-corpus/compiler.ts'

const HEAD = '// SPDX-License-Identifier: MIT\npragma solidity >=0.7.6 <0.9.0;\n'
const ABI = parseAbi(['function f(uint256 a, uint256 b)', 'function run(uint256 a, uint256 b)'])

/** Params of the calls of each program. */
const CALLS = [
  [0n, 0n],
  [1n, 3n],
  [5n, 2n],
] as const

/** The differences between coverage and counters of the programs of some seeds: per program its text with comments at each. */
export async function differencesOf(
  seeds: readonly number[],
  version: string,
  settings: object,
): Promise<readonly string[]> {
  const programs = seeds.map((seed) => countedProgram(seed, version))
  const texts = programs.flatMap(({ plain, twin }, index): readonly [string, string][] => [
    [`contracts/P${index}.sol`, HEAD + plain],
    [`contracts/T${index}.t.sol`, HEAD + twin],
  ])
  const input = inputOf(texts, version, settings)
  const output = await outputOnce(input, version)
  const folder = await writeProject(standardJson({ input, output }))
  try {
    await using node = await createNode({
      network: 'ethereum',
      blockGasLimit: 100_000_000,
      artifacts: [folder],
    })
    const request = (method: string, params: readonly unknown[] = []): Promise<any> =>
      node.provider.request({ method, params })
    await request('dev_startCoverage')
    const counters = await Promise.all(
      programs.map((_program, index) => countsOf(request, output.contracts, index)),
    )
    const { istanbul } = await request('dev_coverage')
    return programs.flatMap((program, index) =>
      compare(program, istanbul[`contracts/P${index}.sol`], counters[index]!),
    )
  } finally {
    await rm(folder, { recursive: true })
  }
}

type Request = (method: string, params?: readonly unknown[]) => Promise<any>

/** Calls the program and its twin; the sums of the twin's counters. */
async function countsOf(request: Request, contracts: any, index: number): Promise<readonly number[]> {
  const addresses: Record<string, Hex> = {}
  for (const path of [`contracts/P${index}.sol`, `contracts/T${index}.t.sol`]) {
    const [contract] = Object.values<any>(contracts[path])
    addresses[path] =
      `0x${(index * 2 + 0x10000 + Object.keys(addresses).length).toString(16).padStart(40, '0')}`
    await request('hardhat_setCode', [addresses[path], `0x${contract.evm.deployedBytecode.object}`])
  }
  const [plain, twin] = Object.values(addresses)
  const sums: number[] = []
  for (const args of CALLS) {
    const call = (to: Hex, functionName: 'f' | 'run'): Promise<Hex> =>
      request('eth_call', [
        { to, gas: '0x5000000', data: encodeFunctionData({ abi: ABI, functionName, args }) },
      ])
    await call(plain!, 'f').catch(() => undefined)
    const counters = Buffer.from(hexToBytes(await call(twin!, 'run')))
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
    if (isDropped && counted?.every((count) => count === 0)) continue
    isDifferent = true
    lines[line - 1] += ` // ${kind} at ${column} is ${counted?.join()}, was ${expected.join()}`
  }
  return isDifferent ? [lines.join('\n')] : []
}
