/**
 * The storage of a running transaction: the slots in the memory of its core. The core is taken from the pool when the first
 * code runs.
 */

import type { Address } from '../../base/hex.ts'
import { isTrap } from '../../crypto/wasm.ts'
import type { Observer } from '../observer.ts'
import type { Core } from './core.ts'
import { giveCore, takeCore } from './cores.ts'
import type { ExecutionContext } from './execution.ts'
import type { Frame } from './frame.ts'
import { REFUND, REQUEST, MIN_GAS_AT_STORE, STOPS_AT_STORAGE } from './layout.ts'
import { SlotCache } from './slot-cache.ts'
import type { Substate } from './substate.ts'
import { tableImage } from './core-tables.ts'

/** The core of this transaction, and the slots in it. */
interface CoreInUse {
  readonly core: Core
  readonly slots: SlotCache
}

/** Storage while one transaction runs. */
export class WorkingStorage {
  readonly #context: ExecutionContext
  #coreInUse: CoreInUse | undefined

  constructor(context: ExecutionContext) {
    this.#context = context
  }

  /** The core in which the transaction runs. */
  get core(): Core {
    return this.#running.core
  }

  /** Refund counter (EIP-3529). The change by a single frame can be negative. */
  get refund(): number {
    return this.#coreInUse?.core.f64[REFUND >>> 3] ?? this.#context.initialRefund ?? 0
  }

  set refund(refund: number) {
    this.core.f64[REFUND >>> 3] = refund
  }

  /**
   * Notes that what the transaction does depends on the gas that is left, so that `isGasIndependent` is false: the minimum of the
   * gas at its SSTOREs becomes 0.
   */
  dependOnGas(): void {
    this.core.f64[MIN_GAS_AT_STORE >>> 3] = 0
  }

  /** Whether a transaction that ended with this gas left would have run in the same way with a gas limit of what it used. */
  isGasIndependent(gasLeft: number): boolean {
    const { storage } = this.#context.rules
    const seen = this.#coreInUse?.core.f64[MIN_GAS_AT_STORE >>> 3] ?? Infinity
    return seen - gasLeft > (storage.kind === 'net' ? storage.sentry : 0)
  }

  /** Number of an account in the core. */
  numberOf(address: Address): number {
    return this.#running.slots.numberOf(address)
  }

  /** Loads the slot that a frame needs. */
  loadSlot(frame: Frame): void {
    this.#running.slots.loadSlot(frame)
  }

  /**
   * Notifies the observer of an access to storage. A write is then made in the state too. The core leaves the slot, and after it
   * the value, in its request to the machine.
   */
  notify({ address, core }: Frame, isWrite: boolean): void {
    const { observer, state } = this.#context
    const slot = core.hashAt(REQUEST)
    observer?.onStorageAccess?.(address, slot)
    if (isWrite) state.putStorage(address, slot, core.bytesAt(REQUEST + 32))
  }

  /**
   * Whether a slot of the account that the core holds has a value other than zero, now or at the start of the transaction. Slots
   * that no code has accessed are in the state only.
   */
  hasValues(address: Address): boolean {
    return this.#coreInUse?.slots.hasValues(address) ?? false
  }

  /** Forgets the slots of an account whose storage has been cleared. Invalidates views of the core's memory, which may grow. */
  clear(address: Address, substate: Substate): void {
    this.#coreInUse?.slots.clear(address, substate)
  }

  /** Reverts the changes of a frame and of the frames that it called. */
  revert({ core, start }: Frame): void {
    core.revertSlots(start.checkpoint)
    core.f64[REFUND >>> 3] = start.refund
  }

  /** Writes changed slots to the state. Necessary again after the state has been reverted. */
  writeBack(): void {
    this.#coreInUse?.slots.writeBack()
  }

  /**
   * Writes changed slots to the state at the end of a transaction. Those of a call are written for an observer only, because
   * the changes of a call are reverted.
   */
  writeBackAtEnd(): void {
    const { isSimulated, observer } = this.#context
    if (!isSimulated || observer?.onTransactionEnd !== undefined) this.writeBack()
  }

  /** Returns the core to the pool. */
  close(): void {
    if (this.#coreInUse !== undefined) giveCore(this.#coreInUse.core)
    this.#coreInUse = undefined
  }

  /**
   * Returns the core to the pool after an error that ends the execution. After a WebAssembly trap it is dropped, because its
   * memory may be inconsistent.
   */
  closeAfterError(error: unknown): unknown {
    if (!isTrap(error)) this.close()
    return error
  }

  get #running(): CoreInUse {
    return (this.#coreInUse ??= this.#take())
  }

  #take(): CoreInUse {
    const { observer, rules, state, warmSlots, initialRefund = 0 } = this.#context
    const core = takeCore(tableImage(rules))
    core.environment.write(this.#context)
    core.u32[STOPS_AT_STORAGE >>> 2] = observer !== undefined && observesStorage(observer) ? 1 : 0
    core.f64[REFUND >>> 3] = initialRefund
    core.f64[MIN_GAS_AT_STORE >>> 3] = Infinity
    const slots = new SlotCache(core, state)
    for (const [address, slot] of warmSlots) slots.markAccessed({ address, slot })
    return { core, slots }
  }
}

/** Whether an observer is notified of accesses to storage, or may read the state at any instruction. */
const observesStorage = ({ onOpcode, onStorageAccess, onStorageChange }: Observer): boolean =>
  onOpcode !== undefined || onStorageAccess !== undefined || onStorageChange !== undefined
