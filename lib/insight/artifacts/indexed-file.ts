/** Reads the contracts of one file into the index: samples of their code, and their custom errors. */

import { basename, dirname, join } from 'node:path'
import { errorsOf, type ErrorAbi } from '../../abi/fragments.ts'
import {
  BuildInfo,
  CODE_MEMBERS,
  contractOf,
  type ArtifactFolder,
  type ContractRecord,
} from './build-info.ts'
import { CodeSample, isVyper, readCode, type CodeKind } from './code.ts'
import type { CompiledContract } from './compilation.ts'
import { foundryContract } from './foundry.ts'
import { JsonValue, type JsonFile, type OpenFile } from './json-file.ts'
import { lazyMembers, once } from '../../base/once.ts'
import { compilationOf } from './source-unit.ts'
import { truffleContract } from './truffle.ts'

export interface IndexedContract {
  readonly contract: CompiledContract
  readonly samples: Readonly<Record<CodeKind, CodeSample | undefined>>
  readonly modifiedAtMs: number
}

export interface IndexedFile {
  readonly contracts: readonly IndexedContract[]
  readonly errors: readonly ErrorAbi[]
  /** The source's file name, for artifacts of Foundry and Truffle. */
  readonly sourceName?: string
}

/** Reads an artifact, or a file that contains only an ABI; undefined for any other file. */
export function indexArtifact(file: JsonFile, folder: ArtifactFolder): IndexedFile | undefined {
  const record =
    hardhatContract(file, folder) ?? truffleContract(file, folder) ?? foundryContract(file, folder)
  if (record !== undefined) return indexRecords([record], file)
  const { root } = file
  const abi = root.isObject ? root.at('abi') : root
  return abi.isPresent && !hasOutput(file) ? { contracts: [], errors: errorsOf(abi.value) } : undefined
}

export const hasOutput = ({ root }: JsonFile): boolean =>
  root.at('contracts').isObject || root.at('output').at('contracts').isObject

export function indexRecords(
  records: readonly ContractRecord[],
  { root, path, version }: OpenFile,
): IndexedFile {
  const contracts = records.map((record) => ({
    contract: contractOf(record),
    samples: { creation: sampleOf(record, 'creation'), runtime: sampleOf(record, 'runtime') },
    modifiedAtMs: version.modifiedAtMs,
  }))
  // On Windows, Truffle writes paths with backslashes.
  const sourcePath = root.at('sourcePath').text?.replaceAll('\\', '/')
  const errors = records.flatMap(({ abi }) => errorsOf(abi.value))
  return { contracts, errors, sourceName: basename(sourcePath ?? dirname(path)) }
}

/** Reads the contracts of a build info. `hint` is for contracts without an AST. */
export function indexBuild(file: OpenFile, hint: string | undefined): IndexedFile {
  const records = new BuildInfo(file.root, () => file.root, []).records()
  return indexRecords(
    records.map((record) => ({ ...record, hint })),
    file,
  )
}

function sampleOf({ code }: ContractRecord, kind: CodeKind): CodeSample | undefined {
  const read = readCode(code(kind).at('object').text, kind)
  return read === undefined ? undefined : new CodeSample(read)
}

/** The contract of an artifact; absent if the file is not one of Hardhat's. */
function hardhatContract(file: JsonFile, folder: ArtifactFolder): ContractRecord | undefined {
  const { root } = file
  const name = root.at('contractName').text
  const path = root.at('sourceName').text
  if (name === undefined || path === undefined) return undefined
  const built = once(() => {
    // Hardhat 3 renames the source for the compiler.
    const source = root.at('inputSourceName').text ?? path
    const info = buildPathOf(file, folder)
    return info === undefined ? undefined : folder.build(info)?.recordOf(source, name, code('creation'))
  })
  const code = (kind: CodeKind): JsonValue => {
    const inBuild = (member: string) => (): unknown => built()?.code(kind).at(member).value
    return new JsonValue(() =>
      lazyMembers({
        object: () => root.at(CODE_MEMBERS[kind]).value,
        sourceMap: inBuild('sourceMap'),
        generatedSources: inBuild('generatedSources'),
        immutableReferences: inBuild('immutableReferences'),
      }),
    )
  }
  const language = isVyper(path) ? 'Vyper' : undefined
  const compilation = () => built()?.compilation() ?? compilationOf({ language, sources: [] })
  return { path, name, abi: root.at('abi'), code, compilation }
}

/** The build info that a Hardhat 3 artifact names, or the one that the file beside a Hardhat 2 artifact names. */
function buildPathOf({ path, root }: JsonFile, folder: ArtifactFolder): string | undefined {
  const id = root.at('buildInfoId').text
  const named = id ?? folder.open(debugFileOf(path))?.root.at('buildInfo').text
  if (id === undefined) return named && join(dirname(path), named)
  const name = `${id}.output.json`
  const file = folder.buildInfos.find((build) => basename(build) === name)
  return file ?? join(folder.path, 'build-info', name)
}

/** The file that Hardhat 2 writes beside an artifact, with the path of the build info. */
export const debugFileOf = (artifact: string): string => artifact.replace(/\.json$/, '.dbg.json')
