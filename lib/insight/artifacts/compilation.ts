/** Contracts as compilers describe them: code, ABI, source maps and sources. How they are read from files is in reader files. */

import type { AbiFragment } from '../../abi/fragments.ts'
import type { AstNode } from './ast-node.ts'
import type { CompilerSettings } from './schemas.ts'

/** A run of a compiler over some sources. */
export interface Compilation {
  /** Version of the compiler with its commit, such as `0.8.28+commit.7893614a`. Shorter if the files have no more. */
  readonly compiler: string
  readonly language: CompilerLanguage
  readonly settings: CompilerSettings
  source(id: number): SourceUnit | undefined
  readonly sources: readonly SourceUnit[]
}

export type CompilerLanguage = 'Solidity' | 'Yul' | 'Vyper'

/** A source file. Its content and its AST are read when they are first used. */
export interface SourceUnit {
  /** Id in the source maps of the compilation. */
  readonly id: number
  /** Path in the project, such as `contracts/Token.sol`, or of a package, such as `@openzeppelin/contracts/...`. */
  readonly path: string
  /** Absent if the text that was compiled is not known: a file on disk that has changed since is not it. */
  readonly content: string | undefined
  /** The AST of the compiler; undefined if the files do not contain it. */
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
  /** How to get the lines of its sources, if the files lack what they need, such as `set ast = true in foundry.toml`. */
  readonly hint?: string | undefined
}

/** Code of a contract, of its creation or at run time. */
export interface CompiledCode {
  /** The code with zeros in place of linked libraries and immutables. */
  readonly bytes: Uint8Array
  /** Source map in the compiler's compressed form. */
  readonly sourceMap: string | undefined
  /** Ids of the sources that the compiler added, such as its Yul utilities. */
  readonly generatedFiles: ReadonlySet<number>
  /** Positions of the words of immutable variables in the code, by the ids of their declarations; empty if the files lack them. */
  readonly immutables: ReadonlyMap<number, number>
  /** Places in which the code on a chain differs from these bytes. In ascending order; they may overlap. */
  readonly masks: readonly CodeMask[]
}

/** A place in code, in bytes. */
export interface CodeMask {
  readonly start: number
  readonly length: number
}
