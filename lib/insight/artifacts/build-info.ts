/**
 * Reads the input and output of a compiler: standard JSON of solc, build infos of Hardhat 2 and 3 and of Foundry. Parts of
 * contracts are read when they are first used.
 */

import { readAbi } from '../../abi/fragments.ts'
import { once, lazyMembers } from '../../base/once.ts'
import { readCode, type CodeKind } from './code.ts'
import type { Compilation, CompiledCode, CompiledContract } from './compilation.ts'
import type { JsonFile, JsonValue } from './json-file.ts'
import { readMetadata, readTexts, readIds, readPositions } from './schemas.ts'
import { compilationOf, textOnDisk, type SourceRecord } from './source-unit.ts'

export class BuildInfo {
  readonly #output: JsonValue
  readonly #input: () => JsonValue
  readonly #folders: readonly string[]
  readonly #pathOf: (path: string) => string
  readonly #compilation: () => Compilation

  /**
   * @param input the content of the file with the sources
   * @param folders bases of relative paths of sources
   */
  constructor(root: JsonValue, input: () => JsonValue, folders: readonly string[]) {
    this.#output = partOf(root, 'output')
    this.#input = once(input)
    this.#folders = folders
    // Only Hardhat 3 renames: `project/contracts/Token.sol`, `npm/@openzeppelin/contracts@5.7.0/token/ERC20/ERC20.sol`.
    this.#pathOf = root.at('_format').text?.startsWith('hh3-') === true ? projectPath : (path) => path
    this.#compilation = once(() => this.#readCompilation())
  }

  records(): readonly ContractRecord[] {
    return this.#contracts().map(({ path, name, contract }) => this.#record(path, name, contract))
  }

  /** The contract of an artifact; absent if this run compiled other code under its name. */
  recordOf(path: string, name: string, creationCode: JsonValue): ContractRecord | undefined {
    const contract = this.#output.at('contracts').at(path).at(name)
    const record = this.#record(path, name, contract)
    const { text } = record.code('creation').at('object')
    const isSame = withoutPrefix(text) === withoutPrefix(creationCode.at('object').text)
    return contract.isPresent && isSame ? record : undefined
  }

  #record(path: string, name: string, contract: JsonValue): ContractRecord {
    return {
      path: this.#pathOf(path),
      name,
      abi: contract.at('abi'),
      code: (kind) => contract.at('evm').at(CODE_MEMBERS[kind]),
      compilation: this.#compilation,
    }
  }

  #readCompilation(): Compilation {
    const metadata = readMetadata(this.#contracts()[0]?.contract.at('metadata').text)
    const input = partOf(this.#input(), 'input')
    return compilationOf({
      compiler: metadata.compiler ?? { version: this.#input().at('solcLongVersion').text ?? '' },
      language: input.at('language').text ?? metadata.language,
      settings: input.at('settings').value ?? metadata.settings,
      sources: this.#sources(),
    })
  }

  #contracts() {
    const files = this.#output.at('contracts').entries()
    return files.flatMap(([path, contracts]) =>
      contracts.entries().map(([name, contract]) => ({ path, name, contract })),
    )
  }

  #sources(): readonly SourceRecord[] {
    const asts = this.#output.at('sources')
    const paths = asts.entries().map(([path, source]) => [source.at('id').value, path] as const)
    const listed = Object.entries(readTexts(this.#input().at('source_id_to_path').value)).map(
      ([id, path]) => [Number(id), path] as const,
    )
    return (paths.length > 0 ? paths : listed).flatMap(([id, path]) => {
      if (typeof id !== 'number') return []
      const content = () => this.#contentOf(path)
      return [{ id, path: this.#pathOf(path), content, ast: () => asts.at(path).at('ast').value }]
    })
  }

  #contentOf(path: string): string | undefined {
    const { text } = partOf(this.#input(), 'input').at('sources').at(path).at('content')
    return text ?? textOnDisk(this.#pathOf(path), this.#folders, this.#hashOf(path))
  }

  /** A source's hash, from the metadata of the contracts made from it. */
  #hashOf(path: string): string | undefined {
    for (const { contract } of this.#contracts()) {
      const hash = readMetadata(contract.at('metadata').text).sources?.[path]?.keccak256
      if (hash !== undefined) return hash
    }
    return undefined
  }
}

/** A member of the file, or the whole file if it is just that part. */
export const partOf = (root: JsonValue, name: string): JsonValue =>
  root.at(name).isPresent ? root.at(name) : root

const withoutPrefix = (text: string | undefined): string | undefined => text?.replace(/^0x/, '')

/** The project path of a source that Hardhat 3 or Truffle has renamed for the compiler. */
export function projectPath(path: string): string {
  const packaged = /^npm\/((?:@[^/]+\/)?[^/@]+)@[^/]+\/(.*)$/.exec(path)
  return packaged === null ? path.replace(/^project:?\//, '') : `${packaged[1]}/${packaged[2]}`
}

export interface ArtifactFolder {
  readonly path: string
  readonly buildInfos: readonly string[]
  /** The Foundry or Truffle artifacts of all sources with a file name. */
  readonly artifactsOf: (sourceName: string) => readonly JsonFile[]
  /** Opens a file; absent if it does not exist or cannot be read. The fault is reported once. */
  readonly open: (path: string) => JsonFile | undefined
  /**
   * The compiler run whose output is in a file. It stays the same object until the file changes. Absent, and reported once, if
   * unreadable.
   */
  readonly build: (path: string) => BuildInfo | undefined
}

/** A contract in a tool's files, with unchecked values. */
export interface ContractRecord {
  readonly path: string
  readonly name: string
  readonly abi: JsonValue
  /**
   * The code of each kind, as an object with the members `object`, `sourceMap`, `generatedSources` and `immutableReferences` of
   * solc's output. `object` is hex text with placeholders for libraries; only explanations need the others.
   */
  readonly code: (kind: CodeKind) => JsonValue
  readonly compilation: () => Compilation
  readonly hint?: string | undefined
}

/** Names of the members for code and its source map in solc's output and in artifacts. */
export const CODE_MEMBERS: Readonly<Record<CodeKind, string>> = {
  creation: 'bytecode',
  runtime: 'deployedBytecode',
}

/** Makes a contract from a record. Its parts are read when they are first used. */
export function contractOf(record: ContractRecord): CompiledContract {
  return lazyMembers<CompiledContract>({
    path: () => record.path,
    name: () => record.name,
    compilation: record.compilation,
    abi: () => readAbi(record.abi.value),
    creation: () => codeOf(record.code('creation'), 'creation'),
    runtime: () => codeOf(record.code('runtime'), 'runtime'),
    hint: () => record.hint,
  })
}

function codeOf(code: JsonValue, kind: CodeKind): CompiledCode | undefined {
  const read = readCode(code.at('object').text, kind)
  return (
    read &&
    lazyMembers<CompiledCode>({
      bytes: () => read.bytes,
      masks: () => read.masks,
      // An empty source map counts as absent.
      sourceMap: () => code.at('sourceMap').text || undefined,
      generatedFiles: () => readIds(code.at('generatedSources').value),
      immutables: () => readPositions(code.at('immutableReferences').value),
    })
  )
}
