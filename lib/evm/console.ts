/**
 * Collects calls of the console address. It has no code, so gas and result of these calls do not differ from those of other
 * calls.
 */

import { asAddress } from '../base/hex.ts'

/** The address that the console libraries of Hardhat and Foundry call: `console.log` in ASCII. */
export const CONSOLE_ADDRESS = asAddress('0x000000000000000000636f6e736f6c652e6c6f67')

/** Maximum bytes stored for one execution, so that a contract that logs in a loop does not fill the memory. */
const MAX_BYTES = 256 * 1024

/** Number of bytes that each call counts in addition to its input. */
const PER_CALL = 64

/** The calls of one execution, including those of reverted frames. */
export interface ConsoleCalls {
  /** Call data, oldest first. */
  readonly inputs: readonly Uint8Array[]
  /** Number of later calls that were not stored. */
  readonly omitted: number
}

/** Collects the calls of one execution. */
export class ConsoleSink implements ConsoleCalls {
  readonly inputs: Uint8Array[] = []
  omitted = 0
  #bytes = 0

  /** Stores a copy, because the input is a view of the memory of the caller. */
  add(input: Uint8Array): void {
    this.#bytes += input.length + PER_CALL
    if (this.#bytes > MAX_BYTES) this.omitted++
    else this.inputs.push(input.slice())
  }
}
