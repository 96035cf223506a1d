/** The most gas that an execution has spent at a time, from which the reference node estimates (node-rpc 5.7). */

import type { Observer, Step } from '../../../evm/observer.ts'

const CALLS = new Set(['CALL', 'CALLCODE', 'DELEGATECALL', 'STATICCALL'])

/** Position of the value in the stack of a call. */
const VALUE = 2

/** Observes an execution: the most gas that was spent at a time, gas that its frames had forwarded included. */
export class GasPeak {
  highest = 0n
  paysValue = false
  forwardsAll = false
  /** Whether an instruction failed; a creation can also fail after the last one. */
  hasFault = false
  readonly #limit: bigint

  constructor(limit: bigint) {
    this.#limit = limit
  }

  /** Another observer with this one. */
  beside<Other extends Observer>(other: Other) {
    return { ...other, onOpcode: this.#onOpcode, onFault: this.#onFault }
  }

  readonly #onFault = (): void => {
    this.hasFault = true
  }

  readonly #onOpcode = (step: Step): undefined => {
    const { name = '', gasLeft, cost, depth } = step
    if (CALLS.has(name) && cost >= gasLeft) this.forwardsAll = true
    if (name === 'CALL' && step.word(VALUE) > 0n) this.paysValue = true
    if (depth > 0) return
    const spent = name.startsWith('CREATE') ? this.#limit : this.#limit - gasLeft + cost
    if (spent > this.highest) this.highest = spent
  }
}
