/** A local variable in a recording. */

import type { DebugFunction } from './debug-function.ts'
import type { DeclaredVariable } from './declared-variables.ts'

/** A variable with its words, lowest first; or why they are not known. */
export type FoundLocal = {
  readonly variable: DeclaredVariable
  readonly within: DebugFunction
} & ({ readonly words: readonly bigint[]; readonly step: number } | { readonly unknown: string })
