/** Finds the access list of an execution: the accounts and slots that it accesses (EIP-2930). */

import { getOrAdd } from '../../base/get-or-add.ts'
import type { Address, Hash } from '../../base/hex.ts'
import type { Routine } from '../../base/routine.ts'
import type { Observer } from '../../evm/observer.ts'
import type { Outcome } from '../../evm/outcome.ts'
import type { AccessList } from '../../evm/transaction.ts'

/** An access list and the outcome of the execution with it. */
export interface AccessListResult {
  readonly accessList: AccessList
  readonly outcome: Outcome
}

/** The execution to run, its declared access list, and the accounts that are warm without a list. */
export interface AccessListInput {
  /** The access list of the request. */
  readonly given: AccessList
  /** Accounts that are warm from the start; they are listed only for their slots. */
  readonly isWarm: (address: Address) => boolean
  readonly run: (accessList: AccessList, observer: Observer) => Routine<Outcome>
}

/** Maximum number of runs: an execution that depends on its gas may access something new with every list. */
const MAX_RUNS = 64

/**
 * Runs the execution with longer and longer lists, until a list contains everything that the execution with this list
 * accesses (geth, internal/ethapi/api.go).
 */
export function* createAccessList({ given, isWarm, run }: AccessListInput): Routine<AccessListResult> {
  const accessed = new Accessed(given)
  for (let runs = 1; ; runs++) {
    const accessList = accessed.list
    const size = accessed.size
    const outcome = yield* run(accessList, accessed.observer(isWarm))
    if (accessed.size === size || runs === MAX_RUNS) return { accessList, outcome }
  }
}

/** Accounts and slots in the order of their first access. */
class Accessed {
  readonly #slots = new Map<Address, Set<Hash>>()

  constructor(given: AccessList) {
    for (const { address, storageKeys } of given)
      for (const slot of [undefined, ...storageKeys]) this.#add(address, slot)
  }

  /** Number of accounts and slots. */
  get size(): number {
    return [...this.#slots.values()].reduce((total, { size }) => total + 1 + size, 0)
  }

  get list(): AccessList {
    return [...this.#slots].map(([address, slots]) => ({ address, storageKeys: [...slots] }))
  }

  /** Observes one execution. Accounts that the transaction accesses before its first frame are warm, so they are ignored. */
  observer(isWarm: (address: Address) => boolean): Observer {
    let isRunning = false
    return {
      onEnter: () => {
        isRunning = true
      },
      onAccountAccess: (address) => {
        if (isRunning && !isWarm(address)) this.#add(address)
      },
      onStorageAccess: (address, slot) => this.#add(address, slot),
    }
  }

  #add(address: Address, slot?: Hash): void {
    const slots = getOrAdd(this.#slots, address, () => new Set<Hash>())
    if (slot !== undefined) slots.add(slot)
  }
}
