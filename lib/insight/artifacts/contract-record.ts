/** Contracts as the readers find them: each part is read from the files when it is first used. */

import { readAbi } from '../../abi/fragments.ts'
import type { Compilation, CompiledCode, CompiledContract } from './compilation.ts'
import { readCode, type CodeKind } from './code.ts'
import type { JsonValue } from './json-file.ts'
import { lazyMembers } from '../../base/once.ts'
import { readIds, readPositions } from './schemas.ts'

/** A contract in the files of a tool. The values are those of the files, unchecked. */
export interface ContractRecord {
  readonly path: string
  readonly name: string
  readonly abi: JsonValue
  /**
   * The code of each kind, as an object with the members `object`, `sourceMap`, `generatedSources` and `immutableReferences` of
   * solc's output. The object is hex text with placeholders for libraries; only explanations need the others.
   */
  readonly code: (kind: CodeKind) => JsonValue
  readonly compilation: () => Compilation
  readonly hint?: string | undefined
}

/** Members with the code and its source map in solc's output and in artifacts. */
export const CODE_MEMBERS: Readonly<Record<CodeKind, string>> = {
  creation: 'bytecode',
  runtime: 'deployedBytecode',
}

/** The contract of a record, whose parts are read when they are first used. */
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
