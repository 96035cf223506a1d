/** Contracts that a user has named by address and ABI (dev_addContract), and the custom errors known to a chain. */

import { errorsOf, errorText, type AbiFragment, type ErrorAbi } from '../../abi/fragments.ts'
import { SELECTOR_CHARACTERS } from '../../abi/selector.ts'
import type { Address } from '../../base/hex.ts'
import { oncePer } from '../../base/once.ts'
import type { Cell, ChainInstance } from '../../chain/instance/chain-instance.ts'
import type { ContractCatalog } from './catalog.ts'

export interface NamedContract {
  readonly name: string
  readonly abi: readonly AbiFragment[]
}

type ByAddress = ReadonlyMap<Address, NamedContract>

const errorsIn = oncePer(({ abi }: NamedContract) => errorsOf(abi))

export class NamedContracts {
  readonly #contracts: Cell<ByAddress>

  /** A world begins with the default chain's contracts. */
  constructor(instance: ChainInstance, parent?: NamedContracts) {
    // The names are the user's knowledge, not part of the chain: suites name contracts once, and revert before each test.
    const begin: ByAddress = parent === undefined ? new Map() : parent.#contracts.value
    this.#contracts = instance.cell('namedContracts', 'keep', begin)
  }

  set(address: Address, contract: NamedContract): void {
    this.#contracts.value = new Map(this.#contracts.value).set(address, contract)
  }

  at(address: Address): NamedContract | undefined {
    return this.#contracts.value.get(address)
  }

  errorsOf(data: string): readonly ErrorAbi[] {
    const selector = data.slice(0, SELECTOR_CHARACTERS)
    const errors = Array.from(this.#contracts.value.values()).flatMap(errorsIn)
    return errors.filter((error) => error.selector === selector)
  }
}

/** The custom errors known to a chain: those of the catalog and of named contracts. */
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

  /** Like `resolve`, without pauses. */
  resolveNow(data: string): void {
    if (data.length >= SELECTOR_CHARACTERS && this.textOf(data) === undefined) this.#catalog.refreshNow('old')
  }

  /** The error in revert data, such as `Refused(5, "text")`, in Hardhat's form if `isQuoted`; absent if it is unknown. */
  readonly textOf = (data: string, isQuoted?: boolean): string | undefined => {
    for (const error of [...this.#named.errorsOf(data), ...this.#catalog.errorsOf(data)]) {
      const text = errorText(error, data, isQuoted)
      if (text !== undefined) return text
    }
    return undefined
  }
}
