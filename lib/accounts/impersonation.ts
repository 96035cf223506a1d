/** Tracks impersonated accounts, which may send without a key. */

import type { Address } from '../base/hex.ts'
import type { Captured, Cell, ChainInstance } from '../chain/instance/chain-instance.ts'

export interface Impersonated {
  readonly accounts: readonly Address[]
  readonly isEverybody: boolean
}

/** The impersonated accounts of one chain instance; a revert restores them. */
export class Impersonation {
  readonly captured: Captured<Impersonated>
  readonly #cell: Cell<Impersonated>

  constructor(instance: ChainInstance, isEverybody: boolean) {
    this.#cell = instance.cell<Impersonated>('impersonated', 'restore', { accounts: [], isEverybody })
    this.captured = this.#cell
  }

  get value(): Impersonated {
    return this.#cell.value
  }

  restore(impersonated: Impersonated): void {
    this.#cell.value = impersonated
  }

  /** Whether an account may send without a key. */
  has(address: Address): boolean {
    return this.value.isEverybody || this.value.accounts.includes(address)
  }

  /** Impersonates an account. Returns false if it was impersonated already. */
  start(address: Address): boolean {
    const { accounts, isEverybody } = this.value
    if (accounts.includes(address)) return false
    this.restore({ accounts: [...accounts, address], isEverybody })
    return true
  }

  /** Stops impersonating an account. Returns false if it was not impersonated. */
  stop(address: Address): boolean {
    const { accounts, isEverybody } = this.value
    if (!accounts.includes(address)) return false
    this.restore({ accounts: accounts.filter((other) => other !== address), isEverybody })
    return true
  }

  /** Impersonates every account, or only the accounts that `start` has added. */
  setAll(isEverybody: boolean): void {
    this.restore({ ...this.value, isEverybody })
  }
}
