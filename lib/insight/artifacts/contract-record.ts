/** Contracts as the readers find them: each part is read from the files when it is first used. */

import type { AbiFragment } from '../../abi/fragments.ts'
import { isVyper, readCode } from './code.ts'
import type { CodeKind, MaskedCode } from './code.ts'
import { once } from './once.ts'
import { compilationOf } from './source-unit.ts'
import { readAbi, readGeneratedSources, readLayout } from './schemas.ts'
import type { Compilation, CompiledCode, CompiledContract, SourceUnit, StorageLayout } from './compilation.ts'

/** A contract in the files of a tool. The values are those of the files, unchecked. */
export interface ContractRecord {
  readonly path: string
  readonly name: string
  readonly abi: () => unknown
  /** Hex text with placeholders for libraries. */
  readonly code: (kind: CodeKind) => unknown
  readonly details: () => ContractDetails
}

/** The parts of a contract that only explanations need. */
export interface ContractDetails {
  readonly compilation: Compilation
  readonly sourceMap: (kind: CodeKind) => unknown
  readonly generatedSources: (kind: CodeKind) => unknown
  readonly storageLayout: () => unknown
}

/** Details of a contract of which no run of a compiler is known. */
export const bareDetails = (path: string): ContractDetails => ({
  compilation: compilationOf({
    compiler: undefined,
    language: isVyper(path) ? 'Vyper' : undefined,
    settings: undefined,
    sources: [],
  }),
  sourceMap: () => undefined,
  generatedSources: () => undefined,
  storageLayout: () => undefined,
})

/** A contract whose parts are read when they are first used. */
export class FoundContract implements CompiledContract {
  readonly #record: ContractRecord
  readonly #details: () => ContractDetails
  readonly #abi: () => readonly AbiFragment[]
  readonly #creation: () => CompiledCode | undefined
  readonly #runtime: () => CompiledCode | undefined
  readonly #layout: () => StorageLayout | undefined

  constructor(record: ContractRecord) {
    this.#record = record
    this.#details = once(record.details)
    this.#abi = once(() => readAbi(record.abi()))
    this.#creation = once(() => this.#code('creation'))
    this.#runtime = once(() => this.#code('runtime'))
    this.#layout = once(() => readLayout(this.#details().storageLayout()))
  }

  get path(): string {
    return this.#record.path
  }

  get name(): string {
    return this.#record.name
  }

  get compilation(): Compilation {
    return this.#details().compilation
  }

  get abi(): readonly AbiFragment[] {
    return this.#abi()
  }

  get creation(): CompiledCode | undefined {
    return this.#creation()
  }

  get runtime(): CompiledCode | undefined {
    return this.#runtime()
  }

  get storageLayout(): StorageLayout | undefined {
    return this.#layout()
  }

  #code(kind: CodeKind): CompiledCode | undefined {
    const code = readCode(this.#record.code(kind), kind)
    return code === undefined ? undefined : new LazyCode(code, kind, this.#details)
  }
}

/** Code whose source map is read when it is first used. */
class LazyCode implements CompiledCode {
  readonly bytes: Uint8Array
  readonly masks: CompiledCode['masks']
  readonly #sourceMap: () => string | undefined
  readonly #generatedSources: () => readonly SourceUnit[]

  constructor({ bytes, masks }: MaskedCode, kind: CodeKind, details: () => ContractDetails) {
    this.bytes = bytes
    this.masks = masks
    this.#sourceMap = once(() => {
      const map = details().sourceMap(kind)
      return typeof map === 'string' && map !== '' ? map : undefined
    })
    this.#generatedSources = once(() =>
      readGeneratedSources(details().generatedSources(kind)).map(
        ({ id, name: path, contents: content, ast }) => {
          return { id, path, content, ast }
        },
      ),
    )
  }

  get sourceMap(): string | undefined {
    return this.#sourceMap()
  }

  get generatedSources(): readonly SourceUnit[] {
    return this.#generatedSources()
  }
}
