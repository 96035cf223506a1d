/** Accounts that may send without a key, because a test asked for it. */

import type { Address } from '../base/hex.ts'
import type { Captured, Cell, ChainInstance } from '../instance/chain-instance.ts'

/** Who may send without a key. */
export interface Impersonated {
  readonly accounts: readonly Address[]
  /** Whether everybody may. */
  readonly isEverybody: boolean
}

/** Who is impersonated in one world; a revert restores it. */
export class Impersonation {
  readonly captured: Captured<Impersonated>
  readonly #cell: Cell<Impersonated>

  /** Begins with every account, or with none. */
  constructor(instance: ChainInstance, isEverybody: boolean) {
    this.#cell = instance.cell<Impersonated>('impersonated', 'restore', { accounts: [], isEverybody })
    this.captured = this.#cell
  }

  get value(): Impersonated {
    return this.#cell.value
  }

  /** Puts others in the place of these. */
  restore(impersonated: Impersonated): void {
    this.#cell.value = impersonated
  }

  /** Whether an account may send without a key. */
  has(address: Address): boolean {
    return this.value.isEverybody || this.value.accounts.includes(address)
  }

  /** Lets an account send; answers whether it is new. */
  start(address: Address): boolean {
    const { accounts, isEverybody } = this.value
    if (accounts.includes(address)) return false
    this.restore({ accounts: [...accounts, address], isEverybody })
    return true
  }

  /** Takes that back; answers whether there was something to take back. */
  stop(address: Address): boolean {
    const { accounts, isEverybody } = this.value
    if (!accounts.includes(address)) return false
    this.restore({ accounts: accounts.filter((other) => other !== address), isEverybody })
    return true
  }

  /** Lets every account send, or only those that were named. */
  setAll(isEverybody: boolean): void {
    this.restore({ ...this.value, isEverybody })
  }
}
