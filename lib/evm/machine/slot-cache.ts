/**
 * Loads the slots that a transaction uses from the state into the memory of the core, and writes changed ones back to the
 * state. The core stops at an instruction whose slot is missing; the instruction runs again after the slot is loaded.
 */

import type { Address, Hash } from '../../base/hex.ts'
import type { State } from '../../state/state.ts'
import type { Core } from './core.ts'
import type { Frame } from './frame.ts'
import { OUT_OF_GAS } from './halt.ts'
import {
  REQUEST,
  SLOTS,
  SLOT_ACCOUNT,
  SLOT_COUNT,
  SLOT_FLAGS,
  SLOT_ORIGINAL,
  SLOT_SIZE,
  SLOT_VALUE,
  WAS_ACCESSED,
  WAS_WRITTEN,
} from './layout.ts'
import type { Substate } from './substate.ts'

/** Account and key of a slot in the state. */
export interface SlotKey {
  readonly address: Address
  readonly slot: Hash
}

/** The slots of one transaction in one core. */
export class SlotCache {
  readonly #core: Core
  readonly #state: State
  /**
   * The core identifies accounts by numbers. An account whose storage is cleared gets a new number, under which it has no
   * slots.
   */
  readonly #numbers = new Map<Address, number>()
  #lastNumber = 0
  /** Account and key by the number of the slot. Slots of transient storage have none. */
  readonly #keys: (SlotKey | undefined)[] = []

  constructor(core: Core, state: State) {
    this.#core = core
    this.#state = state
  }

  /** The number by which the core identifies an account. */
  numberOf(address: Address): number {
    let number = this.#numbers.get(address)
    if (number === undefined) this.#numbers.set(address, (number = ++this.#lastNumber))
    return number
  }

  /** Whether a slot of the account has a value other than zero, now or at the start of the transaction. */
  hasValues(address: Address): boolean {
    const account = this.#numbers.get(address)
    if (account === undefined) return false
    return this.#keys.some((key, number) => {
      const at = this.#slotAt(number)
      return key !== undefined && this.#number(at, SLOT_ACCOUNT) === account && !this.#isZero(at)
    })
  }

  /** Forgets the slots of an account whose storage has been cleared, but not that they were accessed. */
  clear(address: Address, substate: Substate): void {
    const before = this.#numbers.get(address)
    this.#numbers.set(address, ++this.#lastNumber)
    substate.onRevert(() => {
      if (before === undefined) this.#numbers.delete(address)
      else this.#numbers.set(address, before)
    })
    for (const [number, key] of [...this.#keys.entries()]) {
      const at = this.#slotAt(number)
      if (key === undefined || this.#number(at, SLOT_ACCOUNT) !== before) continue
      if ((this.#number(at, SLOT_FLAGS) & WAS_ACCESSED) !== 0) this.markAccessed(key)
    }
  }

  /** Loads the slot that a frame needs. Its key is at REQUEST. */
  loadSlot(frame: Frame): void {
    this.#add({ address: frame.address, slot: this.#core.hashAt(REQUEST) }, frame.storage, REQUEST)
  }

  /** Marks a slot as accessed before the transaction begins (EIP-2930). */
  markAccessed(key: SlotKey): void {
    this.#core.setHash(REQUEST, key.slot)
    const at = this.#add(key, this.numberOf(key.address), REQUEST)
    this.#core.u32[(at + SLOT_FLAGS) >>> 2] = WAS_ACCESSED
  }

  #add(key: SlotKey, account: number, word: number): number {
    const core = this.#core
    // Read first: if the value has to be loaded, the core must not have the slot yet.
    const value = this.#state.storage(key.address, key.slot)
    const at = core.insertSlot(account, word) >>> 0
    core.refresh()
    if (at === 0) throw OUT_OF_GAS
    this.#keys[(at - this.#slotAt(0)) / SLOT_SIZE] = key
    const { u8 } = core
    for (let index = 0, from = value.length - 1; from >= 0; index++, from--) {
      const byte = value[from] ?? 0
      u8[at + SLOT_VALUE + index] = byte
      u8[at + SLOT_ORIGINAL + index] = byte
    }
    return at
  }

  /** Writes the slots that the transaction has written to the state. An unchanged value does not change the state. */
  writeBack(): void {
    const count = this.#core.u32[SLOT_COUNT >>> 2] ?? 0
    for (let number = 0; number < count; number++) {
      const at = this.#slotAt(number)
      const key = this.#keys[number]
      if (key === undefined || (this.#number(at, SLOT_FLAGS) & WAS_WRITTEN) === 0) continue
      if (this.#numbers.get(key.address) !== this.#number(at, SLOT_ACCOUNT)) continue
      this.#state.putStorage(key.address, key.slot, this.#core.bytesAt(at + SLOT_VALUE))
    }
  }

  #isZero(at: number): boolean {
    const { u32 } = this.#core
    const wordsAt = (offset: number) => u32.subarray((at + offset) >>> 2, (at + offset + 32) >>> 2)
    return [...wordsAt(SLOT_VALUE), ...wordsAt(SLOT_ORIGINAL)].every((part) => part === 0)
  }

  #slotAt(number: number): number {
    return (this.#core.u32[SLOTS >>> 2] ?? 0) + SLOT_SIZE * number
  }

  #number(at: number, offset: number): number {
    return this.#core.u32[(at + offset) >>> 2] ?? 0
  }
}
