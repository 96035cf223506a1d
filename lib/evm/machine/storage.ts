/**
 * The storage of a running transaction: its slots, in the memory of a core that is taken from the pool when the first code
 * runs. The core stops at an instruction whose slot is missing; the instruction runs again after the slot is loaded from the state.
 */

import { stripZeros, type Address, type Hash } from '../../base/hex.ts'
import { isTrap } from '../../crypto/wasm.ts'
import type { AccessedSlot } from '../block-accesses.ts'
import type { Observer } from '../observer.ts'
import { giveCore, takeCore, type Core } from './core.ts'
import { writeEnvironment, type ExecutionEnvironment, type TransactionContext } from './environment.ts'
import type { Frame } from './frame.ts'
import { OUT_OF_GAS } from './frame-input.ts'
import * as layout from '../../../assembly/layout.ts'

interface SlotKey {
  readonly address: Address
  readonly slot: Hash
}

/** Storage and refund counter while one transaction runs. */
export class WorkingStorage {
  readonly #environment: ExecutionEnvironment
  readonly #transaction: TransactionContext
  readonly #tables: Uint8Array
  #core: Core | undefined
  /** The core identifies accounts by numbers. If its storage is cleared, an account gets a new number without slots. */
  readonly #numbers = new Map<Address, number>()
  #lastNumber = 0
  /** Account and key by slot number. Slots of transient storage have none. */
  readonly #keys: (SlotKey | undefined)[] = []

  /** `tables` are the core's tables of the rules (core-tables.ts). */
  constructor(environment: ExecutionEnvironment, transaction: TransactionContext, tables: Uint8Array) {
    this.#environment = environment
    this.#transaction = transaction
    this.#tables = tables
  }

  get core(): Core {
    return this.#core ?? this.#takeCore()
  }

  /** The core; absent before the first code runs. */
  get openCore(): Core | undefined {
    return this.#core
  }

  #takeCore(): Core {
    const { observer, state } = this.#environment
    const { warmSlots, initialRefund, initialStateGas } = this.#transaction
    // Read first, because a slot that must be loaded throws before the core is taken.
    if (state.source !== undefined) for (const [address, slot] of warmSlots) state.storage(address, slot)
    const core = (this.#core = takeCore(this.#tables))
    writeEnvironment(core, this.#environment, this.#transaction)
    core.u32[layout.STOPS_AT_STORAGE >>> 2] = observer !== undefined && observesStorage(observer) ? 1 : 0
    core.f64[layout.REFUND >>> 3] = initialRefund
    core.f64[layout.STATE_GAS >>> 3] = initialStateGas
    core.f64.fill(0, layout.STATE_GAS_USED >>> 3, (layout.STATE_GAS_LOST >>> 3) + 1)
    core.f64[layout.MIN_GAS_AT_STORE >>> 3] = Infinity
    for (const [address, slot] of warmSlots) this.#markAccessed({ address, slot })
    return core
  }

  /** Refund counter (EIP-3529). The change by a single frame can be negative. */
  get refund(): number {
    return this.#core?.f64[layout.REFUND >>> 3] ?? this.#transaction.initialRefund
  }

  set refund(refund: number) {
    this.core.f64[layout.REFUND >>> 3] = refund
  }

  /** Notes that the execution depends on the gas that is left: the minimum of the gas at its SSTOREs becomes 0. */
  dependOnGas(): void {
    this.core.f64[layout.MIN_GAS_AT_STORE >>> 3] = 0
  }

  /** Whether a transaction with this gas left would have run the same way if its gas limit had been the used gas. */
  isGasIndependent(gasLeft: number): boolean {
    const { storage } = this.#environment.rules
    const seen = this.#core?.f64[layout.MIN_GAS_AT_STORE >>> 3] ?? Infinity
    return seen - gasLeft > (storage.kind === 'net' ? storage.sentry : 0)
  }

  /** The number by which the core identifies an account. */
  numberOf(address: Address): number {
    let number = this.#numbers.get(address)
    if (number === undefined) this.#numbers.set(address, (number = ++this.#lastNumber))
    return number
  }

  /** Loads the slot that a frame needs. Its key is at REQUEST. */
  loadSlot({ address, core, storage }: Frame): void {
    this.#add({ address, slot: core.hashAt(layout.REQUEST) }, storage)
  }

  /** Marks a slot as accessed before the transaction begins (EIP-2930). */
  #markAccessed(key: SlotKey): void {
    const { core } = this
    core.setHash(layout.REQUEST, key.slot)
    const at = this.#add(key, this.numberOf(key.address))
    core.u32[(at + layout.SLOT_FLAGS) >>> 2] = layout.WAS_ACCESSED
  }

  #add(key: SlotKey, account: number): number {
    const { core } = this
    // Read first: if the value has to be loaded, the core must not have the slot yet.
    const value = this.#environment.state.storage(key.address, key.slot)
    const at = core.wasm.insertSlot(account, layout.REQUEST) >>> 0
    core.refresh()
    if (at === 0) throw OUT_OF_GAS
    this.#keys[(at - this.#slotAt(core, 0)) / layout.SLOT_SIZE] = key
    const { u8 } = core
    for (let index = 0, from = value.length - 1; from >= 0; index++, from--) {
      const byte = value[from] ?? 0
      u8[at + layout.SLOT_VALUE + index] = byte
      u8[at + layout.SLOT_ORIGINAL + index] = byte
    }
    return at
  }

  /**
   * Notifies the observer of an access to storage. A write is then made in the state too. The core leaves the slot, and after it
   * the value, in its request to the machine.
   */
  notify({ address, core }: Frame, isWrite: boolean): void {
    const { observer, state } = this.#environment
    const slot = core.hashAt(layout.REQUEST)
    observer?.onStorageAccess?.(address, slot)
    if (isWrite) state.putStorage(address, slot, core.bytesAt(layout.REQUEST + 32))
  }

  /**
   * Whether a slot of the account that the core holds has a value other than zero, now or at the start of the transaction. Slots
   * that no code has accessed are in the state only.
   */
  hasValues(address: Address): boolean {
    const account = this.#numbers.get(address)
    return account !== undefined && this.#slotsOf(account).some(({ at }) => !isZeroSlot(this.core, at))
  }

  /** Number of slots of an account that the core holds with a value other than zero. */
  countValues(address: Address): number {
    const slots = this.#core === undefined ? [] : this.#slotsOf(this.numberOf(address))
    return slots.filter(({ at }) => this.core.bytesAt(at + layout.SLOT_VALUE).some((byte) => byte > 0)).length
  }

  /** The slots that instructions accessed, with their values at the start of the transaction, which failed frames keep. */
  get accessedSlots(): readonly AccessedSlot[] {
    const core = this.#core
    if (core === undefined) return []
    return this.#keys.flatMap((key, number) => {
      const at = this.#slotAt(core, number)
      const isNoted = ((core.u32[(at + layout.SLOT_FLAGS) >>> 2] ?? 0) & layout.WAS_NOTED) !== 0
      const before = isNoted ? stripZeros(core.bytesAt(at + layout.SLOT_ORIGINAL)).slice() : undefined
      return key === undefined || before === undefined ? [] : [{ ...key, before }]
    })
  }

  /** Forgets the slots of a cleared account, but not that they were accessed. Views of the core's memory become invalid. */
  clear(address: Address): void {
    const before = this.#numbers.get(address)
    this.#numbers.set(address, ++this.#lastNumber)
    this.#environment.state.onRevert(() => {
      if (before === undefined) this.#numbers.delete(address)
      else this.#numbers.set(address, before)
    })
    if (before === undefined) return
    for (const { at, key } of this.#slotsOf(before)) {
      const flags = this.core.u32[(at + layout.SLOT_FLAGS) >>> 2] ?? 0
      if ((flags & layout.WAS_ACCESSED) !== 0) this.#markAccessed(key)
    }
  }

  #slotsOf(account: number): readonly { readonly at: number; readonly key: SlotKey }[] {
    const { core } = this
    return this.#keys.flatMap((key, number) => {
      const at = this.#slotAt(core, number)
      return key !== undefined && core.u32[(at + layout.SLOT_ACCOUNT) >>> 2] === account ? [{ at, key }] : []
    })
  }

  revert({ core, start }: Frame): void {
    core.wasm.revertSlots(start.checkpoint)
    core.f64[layout.REFUND >>> 3] = start.refund
  }

  /** Writes changed slots to the state. Repeat this after the state has been reverted. */
  writeBack(): void {
    const core = this.#core
    const count = core?.u32[layout.SLOT_COUNT >>> 2] ?? 0
    for (let number = 0; core !== undefined && number < count; number++) {
      const at = this.#slotAt(core, number)
      const key = this.#keys[number]
      const flags = core.u32[(at + layout.SLOT_FLAGS) >>> 2] ?? 0
      if (key === undefined || (flags & layout.WAS_WRITTEN) === 0) continue
      if (this.#numbers.get(key.address) !== core.u32[(at + layout.SLOT_ACCOUNT) >>> 2]) continue
      this.#environment.state.putStorage(key.address, key.slot, core.bytesAt(at + layout.SLOT_VALUE))
    }
  }

  /** Writes changed slots to the state at the end. A call's slots are written for an observer only, because they are reverted. */
  writeBackAtEnd(): void {
    const isSeen = this.#environment.observer?.onTransactionEnd !== undefined
    if (!this.#transaction.isSimulated || isSeen) this.writeBack()
  }

  /** Returns the core to the pool. After a WebAssembly trap it is dropped, because its memory may be inconsistent. */
  close(error?: unknown): void {
    if (this.#core !== undefined && !isTrap(error)) giveCore(this.#core)
    this.#core = undefined
  }

  #slotAt(core: Core, number: number): number {
    return (core.u32[layout.SLOTS >>> 2] ?? 0) + layout.SLOT_SIZE * number
  }
}

/** Whether a slot is zero, now and at the start of the transaction. */
const isZeroSlot = ({ u8 }: Core, at: number): boolean =>
  u8.subarray(at + layout.SLOT_VALUE, at + layout.SLOT_ORIGINAL + 32).every((byte) => byte === 0)

/** Whether an observer is notified of accesses to storage, or may read the state at any instruction. */
const observesStorage = ({ onOpcode, onStorageAccess, onStorageChange }: Observer): boolean =>
  onOpcode !== undefined || onStorageAccess !== undefined || onStorageChange !== undefined
