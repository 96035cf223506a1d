/** Reads artifacts of Foundry (`out/<source>/<contract>.json`). */

import { basename, dirname } from 'node:path'
import { isVyper } from './code.ts'
import { CODE_MEMBERS, type ContractDetails, type ContractRecord } from './contract-record.ts'
import type { Compilation } from './compilation.ts'
import type { JsonFile, JsonValue } from './json-file.ts'
import { once } from '../../base/once.ts'
import { readMetadata, readTexts, type ContractMetadata } from './schemas.ts'
import { compilationOf, textOnDisk, type SourceRecord } from './source-unit.ts'
import type { ArtifactFolder } from './build-info.ts'

/** The contract of an artifact; absent if the file is no artifact of Foundry. */
export function foundryContract(file: JsonFile, folder: ArtifactFolder): ContractRecord | undefined {
  const { root } = file
  if (!root.at('bytecode').isObject || !root.at('abi').isPresent) return undefined
  return new FoundryRecord(file, folder)
}

class FoundryRecord implements ContractRecord {
  readonly #file: JsonFile
  readonly #root: JsonValue
  readonly #folder: ArtifactFolder
  readonly #metadata: () => ContractMetadata
  readonly hint: string | undefined

  constructor(file: JsonFile, folder: ArtifactFolder) {
    this.#file = file
    this.#root = file.root
    const isWhole = file.root.at('ast').isPresent || isVyper(dirname(file.path))
    this.hint = isWhole ? undefined : 'set ast = true in foundry.toml'
    this.#folder = folder
    this.#metadata = once(() =>
      readMetadata(this.#root.at('rawMetadata').value ?? this.#root.at('metadata').value),
    )
  }

  /** Path of the source, which the metadata names. The folder of the artifact has only its last part. */
  get path(): string {
    return this.#target()?.[0] ?? this.#pathById() ?? basename(dirname(this.#file.path))
  }

  /** Files of several compilers have names such as `Token.0.8.28.json`. */
  get name(): string {
    return this.#target()?.[1] ?? basename(this.#file.path).replace(/(\.\d+\.\d+\.\d+)?\.json$/, '')
  }

  get abi(): JsonValue {
    return this.#root.at('abi')
  }

  readonly code: ContractRecord['code'] = (kind) => this.#root.at(CODE_MEMBERS[kind])

  readonly details = (): ContractDetails => ({
    compilation: this.#compilation(),
    code: this.code,
  })

  #target(): readonly [path: string, name: string] | undefined {
    return Object.entries(this.#metadata().settings?.compilationTarget ?? {})[0]
  }

  #pathById(): string | undefined {
    const id = this.#root.at('id').value
    const paths = this.#folder.buildInfos.map((path) => this.#pathsIn(path)[String(id)])
    return paths.find((path) => path !== undefined && basename(path) === basename(dirname(this.#file.path)))
  }

  /** With `--build-info` the run of the compiler is in a file; otherwise only the paths of its sources are. */
  #compilation(): Compilation {
    for (const path of this.#folder.buildInfos) {
      const build = this.#folder.build(path)
      const details = build?.detailsOf(this.path, this.name, this.code('creation'))
      if (details !== undefined) return details.compilation
    }
    const { compiler, language, settings } = this.#metadata()
    return compilationOf({ compiler: compiler?.version, language, settings, sources: this.#sources() })
  }

  #sources(): readonly SourceRecord[] {
    const known = Object.entries(this.#sourcePaths())
    const sources = this.#metadata().sources ?? {}
    const folders = [dirname(this.#folder.path), '.']
    return known.map(([id, path]) => ({
      id: Number(id),
      path,
      // Only sources that the contract was made from have a hash here; its source map names no other ones.
      content: () => textOnDisk(path, folders, sources[path]?.keccak256),
      ast: () => this.#astOf(Number(id), path),
    }))
  }

  /** Paths by id of the newest run of the compiler that has all sources of the contract. */
  #sourcePaths(): Readonly<Record<string, string>> {
    const id = String(this.#root.at('id').value)
    const needed = Object.keys(this.#metadata().sources ?? {})
    for (const path of this.#folder.buildInfos) {
      const paths = this.#pathsIn(path)
      const all = new Set(Object.values(paths))
      if (paths[id] === this.path && needed.every((one) => all.has(one))) return paths
    }
    return { [id]: this.path }
  }

  #pathsIn(buildInfo: string): Readonly<Record<string, string>> {
    return readTexts(this.#folder.open(buildInfo)?.root.at('source_id_to_path').value)
  }

  /** The AST of a source, which every artifact that was made from it has with `--ast`. */
  #astOf(id: number, path: string): unknown {
    if (path === this.path) return this.#root.at('ast').value
    const artifacts = this.#folder.artifactsOf(basename(path))
    return artifacts
      .find(({ root }) => root.at('ast').isPresent && root.at('id').value === id)
      ?.root.at('ast').value
  }
}
