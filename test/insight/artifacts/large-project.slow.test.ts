/** A project of 1,500 contracts and 100 MB of build infos, measured in a process of its own. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { keccak256, numberToHex } from 'viem'
import { compileProject, hardhat2 } from '../../support/artifact-projects.ts'
import type { SolcContract, SolcRun } from '../../support/artifact-projects.ts'
import { startModule } from '../../support/own-process.ts'

const CONTRACTS = 1500
const BUILD_INFOS = 10
const BUILD_INFO_BYTES = 1e7

const { input, output } = compileProject()
const template = output.contracts['contracts/Factory.sol']!['Factory']!
const source = output.sources['contracts/Factory.sol']!

/** Code of eight kilobytes that no other contract has. */
const codeOf = (index: number): string =>
  template.evm.deployedBytecode.object.replaceAll(/__.{38}/g, '00'.repeat(20)) +
  keccak256(numberToHex(index)).slice(2).repeat(200)

function contractOf(index: number): SolcContract {
  const object = codeOf(index)
  const evm = {
    bytecode: { ...template.evm.bytecode, object },
    deployedBytecode: { ...template.evm.deployedBytecode, object },
  }
  return { ...template, evm }
}

/** A run of the compiler with some contracts, each in its own source, of as many bytes as asked for. */
function runOf(indexes: readonly number[]): SolcRun {
  const filler = 'x'.repeat(100)
  const nodes = Array.from({ length: 130 }, (_, id) => ({ id, nodeType: 'Filler', src: '1:2:3', filler }))
  const pathOf = (index: number) => `contracts/C${index}.sol`
  const content = input.sources['contracts/Factory.sol']!.content
  const each = <T>(make: (index: number) => T) =>
    Object.fromEntries(indexes.map((index) => [pathOf(index), make(index)]))
  return {
    input: { ...input, sources: each(() => ({ content })) },
    output: {
      contracts: each((index) => ({ [`C${index}`]: contractOf(index) })),
      sources: each((id) => ({ id, ast: { ...source.ast, nodes } })),
    },
  }
}

let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'artifacts-'))
  for (let at = 0; at < BUILD_INFOS; at++) {
    const count = CONTRACTS / BUILD_INFOS
    const files = hardhat2(
      runOf(Array.from({ length: count }, (_, index) => at * count + index)),
      `info${at}`,
    )
    for (const [path, content] of files) {
      const json = JSON.stringify(content)
      if (path.includes('build-info')) expect(json.length).toBeGreaterThan(BUILD_INFO_BYTES)
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), json)
    }
  }
})

afterAll(() => rmSync(folder, { recursive: true }))

const MEASURE = `
  import { readFileSync, readdirSync } from 'node:fs'
  import { join } from 'node:path'
  import { setFlagsFromString } from 'node:v8'
  import { ContractCatalog } from './lib/insight/artifacts/catalog.ts'
  // As bin/dev-node.ts sets it.
  setFlagsFromString('--heap-growing-percent=40')
  const [folder, code] = process.argv.slice(2)
  const now = () => performance.now()
  // Peaks of resident memory are the machine's affair: the limited heap of the process stands for them.
  const heldBytes = () => {
    globalThis.gc()
    const { heapUsed, external } = process.memoryUsage()
    return heapUsed + external
  }
  const measure = async (ask) => {
    const held = heldBytes()
    const start = process.cpuUsage()
    const answer = await ask()
    const { user, system } = process.cpuUsage(start)
    return { answer, cpuMs: (user + system) / 1000, heldMb: (heldBytes() - held) / 1e6 }
  }
  let catalog
  const created = await measure(async () => {
    catalog = new ContractCatalog([folder], now)
    await catalog.check()
  })
  const ask = async () => {
    await catalog.refresh()
    const contract = catalog.contractOf(Buffer.from(code, 'hex'), 'runtime')
    const { sources } = contract.compilation
    const source = sources.find(({ path }) => path === contract.path)
    return [contract.name, contract.runtime.sourceMap.length, source.content.length, source.ast.nodes.length]
  }
  const first = await measure(ask)
  const second = await measure(ask)
  // A unit of work of this machine: to parse a tenth of the build infos as a whole.
  const buildInfos = readdirSync(folder, { recursive: true }).filter((name) => /info\\d+[.]json$/.test(name))
  const parsed = await measure(() => {
    for (const name of buildInfos.slice(0, 2)) JSON.parse(readFileSync(join(folder, name), 'utf8'))
  })
  console.log(JSON.stringify({ created, first, second, parsed }))
`

/** Files that were kept, or parsed all together, would need 250 MB. */
const SMALL_HEAP = 'NODE_OPTIONS=--max-old-space-size=80 exec "$@"'

test.each([
  ['artifacts', 'artifacts'],
  ['build infos alone', 'artifacts/build-info'],
])('the first question takes little time and memory: %s', async (_case, part) => {
  const wanted = 1234
  const { created, first, second, parsed } = JSON.parse(
    await text((await startModule(MEASURE, [join(folder, part), codeOf(wanted)], SMALL_HEAP)).stdout),
  )
  const { sourceMap } = template.evm.deployedBytecode
  const content = input.sources['contracts/Factory.sol']!.content
  expect(first.answer).toEqual([`C${wanted}`, sourceMap.length, content.length, 130])
  if (process.env['SHOW_FIGURES'] !== undefined)
    console.log(JSON.stringify({ created, first, second, parsed }))
  // At rest as long as to parse the build infos twice as a whole, and 10 MB.
  expect(created.cpuMs).toBeLessThan(first.cpuMs / 10)
  expect(first.cpuMs).toBeLessThan(30 * parsed.cpuMs)
  expect(first.heldMb).toBeLessThan(50)
  expect(second.cpuMs).toBeLessThan(first.cpuMs / 2)
})
