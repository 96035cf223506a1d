/** Looks up the names of custom errors in the catalog, which is read when an unknown error occurs. */

import { errorText } from '../abi/error-abi.ts'
import { SELECTOR_CHARACTERS } from '../abi/selector.ts'
import type { Host } from '../base/host.ts'
import type { ContractCatalog } from './catalog.ts'
import type { NamedContracts } from './named-contracts.ts'

/** Time after which an unknown error causes another read, because contracts are compiled while the node runs. */
const REREAD_MS = 1000

/** The custom errors that a chain knows: those of the catalog, and of the contracts that were named. */
export class CustomErrors {
  readonly #catalog: ContractCatalog
  readonly #named: NamedContracts
  readonly #now: Host['now']
  #reading: Promise<void> | undefined
  #readAtMs = -Infinity

  constructor(catalog: ContractCatalog, named: NamedContracts, now: Host['now']) {
    this.#catalog = catalog
    this.#named = named
    this.#now = now
  }

  /** Reads new files in the folders if the error in the revert data is unknown. Never rejects. */
  async resolve(data: string): Promise<void> {
    if (data.length < SELECTOR_CHARACTERS || this.textOf(data) !== undefined) return
    if (this.#reading === undefined && this.#now() - this.#readAtMs < REREAD_MS) return
    this.#reading ??= this.#catalog.refresh().finally(() => {
      this.#reading = undefined
      this.#readAtMs = this.#now()
    })
    await this.#reading
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
