/** The contracts of the artifacts, the contracts named by requests, and the texts of the console, for explanations. */

import { consoleText } from '../../abi/console-text.ts'
import type { ContractCatalog } from '../artifacts/catalog.ts'
import type { CustomErrors, NamedContracts } from '../artifacts/named-contracts.ts'
import type { ExplanationNames } from './explained-call.ts'
import type { ContractFinder } from './implementations.ts'

/** Finds contracts, and the texts of errors and of the console. */
export interface KnownContracts extends Omit<ExplanationNames, 'implementations'>, ContractFinder {
  /** Reads artifacts that are new. */
  readonly refresh: () => Promise<void>
}

/** The sources of a chain's contracts. */
export interface ContractKnowledge {
  readonly contractCatalog: ContractCatalog
  readonly namedContracts: NamedContracts
  readonly customErrors: CustomErrors
}

/** The contracts that a chain knows. */
export const knownContracts = (known: ContractKnowledge): KnownContracts => ({
  refresh: () => known.contractCatalog.refresh(),
  contractOf: (code, kind) => known.contractCatalog.contractOf(code, kind),
  contractAt: (address) => known.namedContracts.at(address),
  errorText: known.customErrors.textOf,
  consoleText,
})
