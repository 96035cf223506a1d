/** Looks up the names of custom errors in the catalog, which is read when an unknown error occurs. */

import { errorText } from '../abi/error-abi.ts'
import { SELECTOR_CHARACTERS } from '../abi/selector.ts'
import type { ContractCatalog } from './catalog.ts'
import type { NamedContracts } from './named-contracts.ts'

/** The custom errors that a chain knows: those of the catalog, and of the contracts that were named. */
export class CustomErrors {
  readonly #catalog: ContractCatalog
  readonly #named: NamedContracts

  constructor(catalog: ContractCatalog, named: NamedContracts) {
    this.#catalog = catalog
    this.#named = named
  }

  /** Reads new files in the folders if the error in the revert data is unknown. Never rejects. */
  async resolve(data: string): Promise<void> {
    if (data.length < SELECTOR_CHARACTERS || this.textOf(data) !== undefined) return
    await this.#catalog.refreshUnlessRecent()
  }

  /** The error that revert data encodes, such as `Refused(5, "text")`; absent if it is unknown. */
  readonly textOf = (data: string): string | undefined => {
    for (const error of [...this.#named.errorsOf(data), ...this.#catalog.errorsOf(data)]) {
      const text = errorText(error, data)
      if (text !== undefined) return text
    }
    return undefined
  }
}
