/** Contracts as compilers describe them: code, ABI, source maps and sources. The reader files read them. */

import type { AbiFragment } from '../../abi/fragments.ts'
import type { AstNode } from './ast-node.ts'
import type { CompilerSettings } from './schemas.ts'

/** A run of a compiler over some sources. */
export interface Compilation {
  /** Version of the compiler with its commit, such as `0.8.28+commit.7893614a`. Shorter if the files have less. */
  readonly compiler: string
  readonly language: CompilerLanguage
  readonly settings: CompilerSettings
  source(id: number): SourceUnit | undefined
  readonly sources: readonly SourceUnit[]
}

export type CompilerLanguage = 'Solidity' | 'Yul' | 'Vyper'

export interface SourceUnit {
  /** Id in the source maps of the compilation. */
  readonly id: number
  /** Path in the project, such as `contracts/Token.sol`, or in a package, such as `@openzeppelin/contracts/...`. */
  readonly path: string
  /** Absent if the compiled text is unknown. A file on disk that has changed since does not count. */
  readonly content: string | undefined
  /** The compiler's AST; undefined if the files lack it. */
  readonly ast: AstNode | undefined
}

export interface CompiledContract {
  readonly compilation: Compilation
  /** Path of the source, as in its `SourceUnit`. */
  readonly path: string
  readonly name: string
  readonly abi: readonly AbiFragment[]
  /** Absent for interfaces and abstract contracts. */
  readonly creation: CompiledCode | undefined
  readonly runtime: CompiledCode | undefined
  /** How to get source lines, if the files lack what is needed, such as `set ast = true in foundry.toml`. */
  readonly hint?: string | undefined
}

/** Code of a contract, of its creation or at run time. */
export interface CompiledCode {
  /** The code with zeros in place of linked libraries and immutables. */
  readonly bytes: Uint8Array
  /** Source map in the compiler's compressed form. */
  readonly sourceMap: string | undefined
  /** Ids of sources added by the compiler, such as its Yul utilities. */
  readonly generatedFiles: ReadonlySet<number>
  /** Positions of immutable variables' words in the code, by the ids of their declarations; empty if the files lack them. */
  readonly immutables: ReadonlyMap<number, number>
  /** Places where the code on a chain differs from these bytes, in ascending order. They may overlap. */
  readonly masks: readonly CodeMask[]
}

/** A place in code, in bytes. */
export interface CodeMask {
  readonly start: number
  readonly length: number
}
