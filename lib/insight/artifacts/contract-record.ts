/** Contracts as the readers find them: each part is read from the files when it is first used. */

import { readAbi } from '../../abi/fragments.ts'
import type { Compilation, CompiledCode, CompiledContract } from './compilation.ts'
import { isVyper, readCode, type CodeKind } from './code.ts'
import { JsonValue } from './json-file.ts'
import { once } from '../../base/once.ts'
import { readIds, readPositions } from './schemas.ts'
import { compilationOf } from './source-unit.ts'

/** The code of each kind, as an object with the members `object`, `sourceMap`, `generatedSources` and `immutableReferences` of solc's output. */
type FoundCodes = (kind: CodeKind) => JsonValue

/** A contract in the files of a tool. The values are those of the files, unchecked. */
export interface ContractRecord {
  readonly path: string
  readonly name: string
  readonly abi: JsonValue
  /** Only the member `object` is read: hex text with placeholders for libraries. */
  readonly code: FoundCodes
  readonly details: () => ContractDetails
  readonly hint?: string | undefined
}

/** The parts of a contract that only explanations need. */
export interface ContractDetails {
  readonly compilation: Compilation
  readonly code: FoundCodes
}

/** Members with the code and its source map in solc's output and in artifacts. */
export const CODE_MEMBERS: Readonly<Record<CodeKind, string>> = {
  creation: 'bytecode',
  runtime: 'deployedBytecode',
}

/** A value that no file has. */
export const ABSENT = new JsonValue(() => undefined)

/** Details of a contract without a known run of a compiler. */
export const bareDetails = (path: string): ContractDetails => ({
  compilation: compilationOf({ language: isVyper(path) ? 'Vyper' : undefined, sources: [] }),
  code: () => ABSENT,
})

/** The contract of a record, whose parts are read when they are first used. */
export function contractOf(record: ContractRecord): CompiledContract {
  const details = once(record.details)
  const abi = once(() => readAbi(record.abi.value))
  const creation = once(() => codeOf(record, 'creation', details))
  const runtime = once(() => codeOf(record, 'runtime', details))
  return {
    get path() {
      return record.path
    },
    get name() {
      return record.name
    },
    get compilation() {
      return details().compilation
    },
    get abi() {
      return abi()
    },
    get creation() {
      return creation()
    },
    get runtime() {
      return runtime()
    },
    hint: record.hint,
  }
}

function codeOf(
  { code }: ContractRecord,
  kind: CodeKind,
  details: () => ContractDetails,
): CompiledCode | undefined {
  const read = readCode(code(kind).at('object').text, kind)
  // An empty source map counts as absent.
  const sourceMap = once(() => details().code(kind).at('sourceMap').text || undefined)
  const generated = once(() => readIds(details().code(kind).at('generatedSources').value))
  const immutables = once(() => readPositions(details().code(kind).at('immutableReferences').value))
  return (
    read && {
      ...read,
      get sourceMap() {
        return sourceMap()
      },
      get generatedFiles() {
        return generated()
      },
      get immutables() {
        return immutables()
      },
    }
  )
}
