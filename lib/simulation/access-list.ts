/** Which accounts and slots an execution touches: the access list that fits it (EIP-2930). */

import { asAddress, toWord } from '../base/hex.ts'
import type { Address, Hash } from '../base/hex.ts'
import type { PromptObserver, Step } from '../evm/observer.ts'
import type { Outcome } from '../evm/outcome.ts'
import type { AccessList } from '../evm/transaction.ts'

/** A list and the execution with it. */
export interface FittedList {
  readonly accessList: AccessList
  readonly outcome: Outcome
}

/** What an execution is watched for. */
export interface FitContext {
  /** The list to begin with. */
  readonly given: AccessList
  /** Accounts that are warm from the start; they are listed only for their slots. */
  readonly isWarm: (address: Address) => boolean
  readonly run: (accessList: AccessList, observer: PromptObserver) => Outcome
}

/** An execution whose path depends on its gas may touch more with every list; no sensible one does it that often. */
const MAX_RUNS = 64

/** Runs until a list names everything that its own execution touches (geth, internal/ethapi/api.go). */
export function fitAccessList({ given, isWarm, run }: FitContext): FittedList {
  const touched = new Touched(given)
  for (let runs = 1; ; runs++) {
    const accessList = touched.list
    const size = touched.size
    const outcome = run(accessList, { onStep: (step) => touched.see(step, isWarm) })
    if (touched.size === size || runs === MAX_RUNS) return { accessList, outcome }
  }
}

/** Instructions that name an account on top of the stack, or below the gas (geth, access_list_tracer.go). */
const ON_TOP = new Set(['BALANCE', 'EXTCODESIZE', 'EXTCODECOPY', 'EXTCODEHASH', 'SELFDESTRUCT'])
const BELOW_GAS = new Set(['CALL', 'CALLCODE', 'DELEGATECALL', 'STATICCALL'])
const SLOTS = new Set(['SLOAD', 'SSTORE'])

/** Accounts and slots in the order in which they were touched first. */
class Touched {
  readonly #slots = new Map<Address, Set<Hash>>()
  #size = 0

  constructor(given: AccessList) {
    for (const { address, storageKeys } of given) {
      this.#addAccount(address)
      for (const slot of storageKeys) this.#addSlot(address, slot)
    }
  }

  /** Number of accounts and slots. */
  get size(): number {
    return this.#size
  }

  get list(): AccessList {
    return [...this.#slots].map(([address, slots]) => ({ address, storageKeys: [...slots] }))
  }

  see({ name = '', stack, address }: Step, isWarm: (address: Address) => boolean): undefined {
    const top = stack.at(-1)
    if (SLOTS.has(name) && top !== undefined) this.#addSlot(address, toWord(top))
    const named = ON_TOP.has(name) ? top : BELOW_GAS.has(name) ? stack.at(-2) : undefined
    if (named === undefined) return
    const account = addressOf(named)
    if (!isWarm(account)) this.#addAccount(account)
  }

  #addAccount(address: Address): Set<Hash> {
    const known = this.#slots.get(address)
    if (known !== undefined) return known
    const slots = new Set<Hash>()
    this.#slots.set(address, slots)
    this.#size++
    return slots
  }

  #addSlot(address: Address, slot: Hash): void {
    const slots = this.#addAccount(address)
    if (slots.has(slot)) return
    slots.add(slot)
    this.#size++
  }
}

/** The last twenty bytes of a word. */
const addressOf = (word: bigint): Address => asAddress(`0x${toWord(word).slice(26)}`)
