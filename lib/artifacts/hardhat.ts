/** Reads artifacts of Hardhat 2 and 3 (`_format` hh-sol-artifact-1 and hh3-artifact-1). */

import { basename, dirname, join } from 'node:path'
import type { BuildInfo } from './build-info.ts'
import { debugFileOf } from './found-files.ts'
import { bareDetails } from './contract-record.ts'
import type { ContractDetails, ContractRecord } from './contract-record.ts'
import type { JsonFile } from './json-file.ts'
import type { ArtifactFolder } from './tool-files.ts'

/** The contract of an artifact; absent if the file is no artifact of Hardhat. */
export function hardhatContract(file: JsonFile, folder: ArtifactFolder): ContractRecord | undefined {
  const { root } = file
  const name = root.at('contractName').text()
  const path = root.at('sourceName').text()
  if (name === undefined || path === undefined) return undefined
  const code: ContractRecord['code'] = (kind) =>
    root.at(kind === 'creation' ? 'bytecode' : 'deployedBytecode').text()
  const details = (): ContractDetails =>
    // Hardhat 3 gives the compiler another name of the source.
    buildOf(file, folder)?.detailsOf(root.at('inputSourceName').text() ?? path, name, code('creation')) ??
    bareDetails(path)
  return { path, name, abi: () => root.at('abi').parse(), code, details }
}

/** The build info that an artifact of Hardhat 3 names, or the file beside an artifact of Hardhat 2. */
function buildOf({ path, root }: JsonFile, folder: ArtifactFolder): BuildInfo | undefined {
  const id = root.at('buildInfoId').text()
  if (id !== undefined) {
    const name = `${id}.output.json`
    const found = folder.buildInfos.find((build) => basename(build) === name)
    const output = found ?? join(folder.path, 'build-info', name)
    return folder.build(output, output.replace(/\.output\.json$/, '.json'))
  }
  const named = folder.open(debugFileOf(path))?.root.at('buildInfo').text()
  return named === undefined ? undefined : folder.build(join(dirname(path), named))
}
