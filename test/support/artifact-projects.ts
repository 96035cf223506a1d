/** A small project as the files of each tool describe it. */

import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fromHex } from 'viem'
import type { Abi } from 'viem'
import { OUTPUTS, compiled } from './solc.ts'

const COUNTER = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;
contract Counter {
    error TooLarge(uint256 number);
    uint256 public number;
    uint256 private immutable limit;
    constructor(uint256 most) { limit = most; }
    function set(uint256 value) external {
        if (value > limit) revert TooLarge(value);
        number = value;
    }
}
`

const FACTORY = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;
import "./Counter.sol";
library Sums {
    function sum(uint256 a, uint256 b) external pure returns (uint256) { return a + b; }
}
contract Factory {
    Counter public last;
    function make(uint256 a, uint256 b) external { last = new Counter(Sums.sum(a, b)); }
}
interface Maker { function make(uint256 a, uint256 b) external; }
`

/** The sources by path. */
export const SOURCES: Readonly<Record<string, string>> = {
  'contracts/Counter.sol': COUNTER,
  'contracts/Factory.sol': FACTORY,
}

interface Bytecode {
  readonly object: string
  readonly sourceMap: string
  readonly generatedSources?: readonly unknown[]
  readonly linkReferences: object
  readonly immutableReferences?: object
}

/** The compiler's output for a contract. */
export interface SolcContract {
  readonly abi: Abi
  readonly metadata: string
  readonly storageLayout: object
  readonly evm: { readonly bytecode: Bytecode; readonly deployedBytecode: Bytecode }
}

interface SolcSource {
  readonly id: number
  readonly ast: { readonly src: string }
}

/** A run of the compiler. */
export interface SolcRun {
  readonly input: {
    readonly language: string
    readonly sources: Readonly<Record<string, { readonly content: string }>>
    readonly settings: object
  }
  readonly output: {
    readonly contracts: Readonly<Record<string, Readonly<Record<string, SolcContract>>>>
    readonly sources: Readonly<Record<string, SolcSource>>
  }
}

/** Sources as a version of the compiler compiled them. */
export function compileProject(
  sources: Readonly<Record<string, string>> = SOURCES,
  settings: object = {},
  version?: string,
): SolcRun {
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(Object.entries(sources).map(([path, content]) => [path, { content }])),
    settings: {
      evmVersion: 'cancun',
      ...settings,
      outputSelection: { '*': { '*': OUTPUTS, '': ['ast'] } },
    },
  }
  return { input, output: compiled(input, version) }
}

/** A file and its content. */
type File = readonly [path: string, content: object]

const contractsOf = ({ output }: SolcRun) =>
  Object.entries(output.contracts).flatMap(([path, contracts]) =>
    Object.entries(contracts).map(([name, contract]) => ({ path, name, contract })),
  )

/** `artifacts` of Hardhat 2. */
export function hardhat2(run: SolcRun, id = 'a1'): readonly File[] {
  const info = {
    id,
    _format: 'hh-sol-build-info-1',
    solcVersion: '0.8.37',
    solcLongVersion: '0.8.37',
    ...run,
  }
  const artifacts = contractsOf(run).flatMap(({ path, name, contract: { abi, evm } }): readonly File[] => [
    [
      `artifacts/${path}/${name}.json`,
      {
        _format: 'hh-sol-artifact-1',
        contractName: name,
        sourceName: path,
        abi,
        bytecode: `0x${evm.bytecode.object}`,
        deployedBytecode: `0x${evm.deployedBytecode.object}`,
        linkReferences: evm.bytecode.linkReferences,
        deployedLinkReferences: evm.deployedBytecode.linkReferences,
      },
    ],
    [
      `artifacts/${path}/${name}.dbg.json`,
      { _format: 'hh-sol-dbg-1', buildInfo: `../../build-info/${id}.json` },
    ],
  ])
  return [[`artifacts/build-info/${id}.json`, info], ...artifacts]
}

/** `artifacts` of Hardhat 3, which names the sources `project/...` for the compiler. */
export function hardhat3(run: SolcRun, id = 'solc-0_8_37-a1'): readonly File[] {
  const artifacts = contractsOf(run).map(({ path: inputSourceName, name, contract }): File => {
    const path = inputSourceName.replace('project/', '')
    const { bytecode, deployedBytecode } = contract.evm
    return [
      `artifacts/${path}/${name}.json`,
      {
        _format: 'hh3-artifact-1',
        contractName: name,
        sourceName: path,
        abi: contract.abi,
        bytecode: `0x${bytecode.object}`,
        deployedBytecode: `0x${deployedBytecode.object}`,
        inputSourceName,
        buildInfoId: id,
      },
    ]
  })
  const userSourceNameMap = Object.fromEntries(
    Object.keys(run.input.sources).map((path) => [path.replace('project/', ''), path]),
  )
  return [
    [
      `artifacts/build-info/${id}.json`,
      { _format: 'hh3-sol-build-info-1', id, userSourceNameMap, input: run.input },
    ],
    [
      `artifacts/build-info/${id}.output.json`,
      { _format: 'hh3-sol-build-info-output-1', id, output: run.output },
    ],
    ...artifacts,
  ]
}

/** `out` of Foundry, with the AST in the artifacts, and with the paths of the sources in its build info. */
export function foundry(run: SolcRun, id = 'f1'): readonly File[] {
  const artifacts = contractsOf(run).map(({ path, name, contract }): File => {
    const { abi, metadata: rawMetadata, storageLayout } = contract
    const { bytecode, deployedBytecode } = contract.evm
    const prefixed = (code: Bytecode) => ({ ...code, object: `0x${code.object}` })
    return [
      `out/${basename(path)}/${name}.json`,
      {
        abi,
        bytecode: prefixed(bytecode),
        deployedBytecode: prefixed(deployedBytecode),
        rawMetadata,
        metadata: JSON.parse(rawMetadata || '{}') as object,
        storageLayout,
        ast: run.output.sources[path]?.ast,
        id: run.output.sources[path]?.id,
      },
    ]
  })
  const paths = Object.entries(run.output.sources).map(([path, source]) => [source.id, path])
  const info = { id, source_id_to_path: Object.fromEntries(paths) as object, language: 'Solidity' }
  return [[`out/build-info/${id}.json`, info], ...artifacts]
}

/** `build/contracts` of Truffle, which names the sources `project:/...` for the compiler. */
export const truffle = (run: SolcRun): readonly File[] =>
  contractsOf(run).map(({ path, name, contract: { abi, metadata, evm } }): File => [
    `build/contracts/${name}.json`,
    {
      contractName: name,
      abi,
      metadata,
      bytecode: `0x${evm.bytecode.object}`,
      deployedBytecode: `0x${evm.deployedBytecode.object}`,
      sourceMap: evm.bytecode.sourceMap,
      deployedSourceMap: evm.deployedBytecode.sourceMap,
      generatedSources: evm.bytecode.generatedSources,
      deployedGeneratedSources: evm.deployedBytecode.generatedSources,
      source: run.input.sources[path]?.content,
      sourcePath: path.replace('project:', '/home/user/project'),
      ast: run.output.sources[path]?.ast,
      schemaVersion: '3.4.16',
    },
  ])

/** Standard JSON input and output of solc, one beside the other. */
export const standardJson = ({ input, output }: SolcRun): readonly File[] => [
  ['solc/output.json', output],
  ['solc/input.json', input],
]

/** Writes files into a new folder. */
export async function writeProject(files: readonly File[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'artifacts-'))
  for (const [path, content] of files) await writeInto(folder, path, JSON.stringify(content))
  return folder
}

/** Writes a file and creates missing folders. */
export async function writeInto(folder: string, path: string, content: string): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true })
  await writeFile(join(folder, path), content)
}

/** The code that a chain has: with addresses of libraries, immutables, and the own address of a library. */
export function chainCode({ object, immutableReferences = {} }: Bytecode): Uint8Array {
  const linked = object
    .replaceAll(/__.{38}/g, '1b'.repeat(20))
    .replace(/^73(00){20}3014/, `73${'1b'.repeat(20)}3014`)
  const code = fromHex(`0x${linked}`, 'bytes')
  const places = Object.values(immutableReferences).flat() as { start: number; length: number }[]
  for (const { start, length } of places) code.fill(0x77, start, start + length)
  return code
}
