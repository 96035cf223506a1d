/** Reads artifacts of Foundry (`out/<source>/<contract>.json`). */

import { basename, dirname } from 'node:path'
import { isVyper } from './code.ts'
import type { JsonFile } from './json-file.ts'
import { once } from '../../base/once.ts'
import { readMetadata, readTexts, type ContractMetadata } from './schemas.ts'
import { compilationOf, textOnDisk, type SourceRecord } from './source-unit.ts'
import { CODE_MEMBERS, type ContractRecord, type ArtifactFolder } from './build-info.ts'

/** The contract of an artifact; absent if the file is not one of Foundry's. */
export function foundryContract(file: JsonFile, folder: ArtifactFolder): ContractRecord | undefined {
  const { root } = file
  if (!root.at('bytecode').isObject || !root.at('abi').isPresent) return undefined
  const metadata = once(() => readMetadata(root.at('rawMetadata').value ?? root.at('metadata').value))
  const target = () => Object.entries(metadata().settings?.compilationTarget ?? {})[0]
  const isWhole = root.at('ast').isPresent || isVyper(dirname(file.path))
  const record: ContractRecord = {
    // The metadata names the source. The artifact's folder has only the last part of its path.
    get path() {
      return target()?.[0] ?? pathById(file, folder) ?? basename(dirname(file.path))
    },
    // With several compilers, files have names such as `Token.0.8.28.json`.
    get name() {
      return target()?.[1] ?? basename(file.path).replace(/(\.\d+\.\d+\.\d+)?\.json$/, '')
    },
    abi: root.at('abi'),
    code: (kind) => root.at(CODE_MEMBERS[kind]),
    compilation: () => {
      // With `--build-info` the build info is in a file. Otherwise only the paths of its sources are known.
      for (const build of folder.buildInfos) {
        const built = folder.build(build)?.recordOf(record.path, record.name, record.code('creation'))
        if (built !== undefined) return built.compilation()
      }
      return compilationOf({ ...metadata(), sources: sourcesOf(file, record.path, metadata(), folder) })
    },
    hint: isWhole ? undefined : 'set ast = true in foundry.toml',
  }
  return record
}

function pathById({ root, path }: JsonFile, folder: ArtifactFolder): string | undefined {
  const id = String(root.at('id').value)
  const paths = folder.buildInfos.map((build) => pathsIn(build, folder)[id])
  return paths.find((candidate) => candidate !== undefined && basename(candidate) === basename(dirname(path)))
}

function sourcesOf(
  { root }: JsonFile,
  ownPath: string,
  { sources = {} }: ContractMetadata,
  folder: ArtifactFolder,
): readonly SourceRecord[] {
  const ownId = String(root.at('id').value)
  /** Paths by id from the newest compiler run that has all sources of the contract. */
  const run = folder.buildInfos
    .map((build) => pathsIn(build, folder))
    .find((paths) => {
      const all = new Set(Object.values(paths))
      return paths[ownId] === ownPath && Object.keys(sources).every((source) => all.has(source))
    })
  const folders = [dirname(folder.path), '.']
  return Object.entries(run ?? { [ownId]: ownPath }).map(([id, path]) => ({
    id: Number(id),
    path,
    // Only sources that the contract was made from have a hash here. Its source map names no others.
    content: () => textOnDisk(path, folders, sources[path]?.keccak256),
    ast: () => (path === ownPath ? root.at('ast').value : astOf(Number(id), path, folder)),
  }))
}

const pathsIn = (buildInfo: string, folder: ArtifactFolder): Readonly<Record<string, string>> =>
  readTexts(folder.open(buildInfo)?.root.at('source_id_to_path').value)

/** The AST of a source. With `--ast`, every artifact made from the source has it. */
const astOf = (id: number, path: string, folder: ArtifactFolder): unknown =>
  folder
    .artifactsOf(basename(path))
    .find(({ root }) => root.at('ast').isPresent && root.at('id').value === id)
    ?.root.at('ast').value
