/** The contracts of the artifacts, the contracts named by requests, and the texts of the console, for explanations. */

import type { ExplanationNames } from './explained-call.ts'
import type { ContractFinder } from './implementations.ts'

/** Finds contracts, and the texts of errors and of the console. */
export interface KnownContracts extends Omit<ExplanationNames, 'implementations'>, ContractFinder {
  /** Reads artifacts that are new. */
  readonly refresh: () => Promise<void>
}
