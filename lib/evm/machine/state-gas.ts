/** The state gas of a running transaction, which pays for new state (EIP-8037). The core charges SSTORE with it. */

import type { Frame } from './frame.ts'
import type { WorkingStorage } from './storage.ts'
import { STATE_GAS, STATE_GAS_LOST, STATE_GAS_RETURNED, STATE_GAS_USED } from '../../../assembly/layout.ts'

/** Counts state gas in the memory of the core, whose frames share it. */
export class StateGasMeter {
  readonly #storage: WorkingStorage
  readonly #initial: number

  constructor(storage: WorkingStorage, initial: number) {
    this.#storage = storage
    this.#initial = initial
  }

  get left(): number {
    return this.#storage.openCore?.f64[STATE_GAS >>> 3] ?? this.#initial
  }

  /** What was used, less what returned. */
  get used(): number {
    return this.#storage.openCore?.f64[STATE_GAS_USED >>> 3] ?? 0
  }

  /** What returned to frames that failed later. */
  get lost(): number {
    return this.#storage.openCore?.f64[STATE_GAS_LOST >>> 3] ?? 0
  }

  /** Plans a use of state gas by the next instruction of a frame. Returns the part that the frame pays with its own gas. */
  plan(frame: Frame, gas: number): number {
    frame.stateGas = gas
    return Math.max(gas - this.left, 0)
  }

  /** Uses the planned state gas of a frame, whose own part has been charged. */
  use(frame: Frame): void {
    this.#add(-Math.min(frame.stateGas, this.left), frame.stateGas)
    frame.stateGas = 0
  }

  /** Returns gas for state that was not created. */
  giveBack(gas: number): void {
    if (gas === 0) return
    this.#storage.dependOnGas()
    this.#add(gas, -gas)
    const { f64 } = this.#storage.core
    f64[STATE_GAS_RETURNED >>> 3] = (f64[STATE_GAS_RETURNED >>> 3] ?? 0) + gas
  }

  /** Returns what a failed frame used. What returned to it is lost, unless it is the outermost frame. */
  revert({ core: { f64 }, message: { depth }, start }: Frame): void {
    const { used, returned } = start.stateGas
    const usedBy = this.used - used
    const returnedTo = depth === 0 ? 0 : (f64[STATE_GAS_RETURNED >>> 3] ?? 0) - returned
    const { left } = this
    const now = Math.max(left + Math.max(usedBy, 0) - returnedTo, 0)
    f64[STATE_GAS_LOST >>> 3] = this.lost + left + usedBy - now
    f64[STATE_GAS >>> 3] = now
    f64[STATE_GAS_USED >>> 3] = used
    f64[STATE_GAS_RETURNED >>> 3] = returned
  }

  #add(left: number, used: number): void {
    const { f64 } = this.#storage.core
    f64[STATE_GAS >>> 3] = (f64[STATE_GAS >>> 3] ?? 0) + left
    f64[STATE_GAS_USED >>> 3] = (f64[STATE_GAS_USED >>> 3] ?? 0) + used
  }
}
