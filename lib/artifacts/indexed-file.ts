/** Reads the contracts of one file into the index: samples of their codes, and their custom errors. */

import { errorsOf } from '../abi/error-abi.ts'
import type { ErrorAbi } from '../abi/error-abi.ts'
import type { BuildInfo } from './build-info.ts'
import { readCode } from './code.ts'
import type { CodeKind } from './code.ts'
import { CodeSample } from './code-sample.ts'
import { FoundContract } from './contract-record.ts'
import type { ContractRecord } from './contract-record.ts'
import { foundryContract } from './foundry.ts'
import { hardhatContract } from './hardhat.ts'
import type { JsonFile } from './json-file.ts'
import type { ArtifactFolder } from './tool-files.ts'
import { truffleContract } from './truffle.ts'

/** A contract in the index. */
export interface IndexedContract {
  readonly contract: FoundContract
  readonly samples: Readonly<Record<CodeKind, CodeSample | undefined>>
  /** When its file was written. */
  readonly modifiedAtMs: number
}

/** The contracts of a file. */
export interface IndexedFile {
  readonly contracts: readonly IndexedContract[]
  readonly errors: readonly ErrorAbi[]
}

/** Reads an artifact, or a file that contains only an ABI; undefined for any other file. */
export function indexArtifact(file: JsonFile, folder: ArtifactFolder): IndexedFile | undefined {
  const record =
    hardhatContract(file, folder) ?? truffleContract(file, folder) ?? foundryContract(file, folder)
  if (record !== undefined) return indexRecords([record], file)
  const { root } = file
  const abi = root.isObject ? root.at('abi') : root
  return abi.isPresent && !hasOutput(file) ? { contracts: [], errors: errorsOf(abi.parse()) } : undefined
}

/** Reads all contracts of a run of a compiler. */
export const indexBuild = (build: BuildInfo, output: JsonFile): IndexedFile =>
  indexRecords(build.records(), output)

/** Whether a file has the output of a compiler. */
export const hasOutput = ({ root }: JsonFile): boolean =>
  root.at('contracts').isObject || root.at('output').at('contracts').isObject

function indexRecords(records: readonly ContractRecord[], { version }: JsonFile): IndexedFile {
  const contracts = records.map((record) => ({
    contract: new FoundContract(record),
    samples: { creation: sampleOf(record, 'creation'), runtime: sampleOf(record, 'runtime') },
    modifiedAtMs: version.modifiedAtMs,
  }))
  return { contracts, errors: records.flatMap(({ abi }) => errorsOf(abi())) }
}

function sampleOf({ code }: ContractRecord, kind: CodeKind): CodeSample | undefined {
  const read = readCode(code(kind), kind)
  return read === undefined ? undefined : new CodeSample(read)
}
