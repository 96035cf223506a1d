/** Accounts that may send without a key, because a test asked for it. */

import type { Address } from '../base/hex.ts'
import type { Cell, World } from '../world/world.ts'

/** Who is impersonated in one world; a revert restores it. */
export class Impersonation {
  readonly #accounts: Cell<ReadonlySet<Address>>
  readonly #isEverybody: Cell<boolean>

  constructor(world: World) {
    this.#accounts = world.cell<ReadonlySet<Address>>('impersonated', 'restore', new Set())
    this.#isEverybody = world.cell('impersonatesAll', 'restore', false)
  }

  /** Whether an account may send without a key. */
  has(address: Address): boolean {
    return this.#isEverybody.value || this.#accounts.value.has(address)
  }

  /** Lets an account send; answers whether it is new. */
  start(address: Address): boolean {
    const isNew = !this.#accounts.value.has(address)
    this.#accounts.value = new Set([...this.#accounts.value, address])
    return isNew
  }

  /** Takes that back; answers whether there was something to take back. */
  stop(address: Address): boolean {
    const isKnown = this.#accounts.value.has(address)
    this.#accounts.value = new Set([...this.#accounts.value].filter((other) => other !== address))
    return isKnown
  }

  /** Lets every account send, or only those that were named. */
  setAll(isEverybody: boolean): void {
    this.#isEverybody.value = isEverybody
  }
}
