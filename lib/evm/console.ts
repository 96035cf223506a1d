/** Collects calls of the console address, which has no code. Their gas and results are those of any such call. */

import { asAddress } from '../base/hex.ts'

/** Where the libraries of Hardhat and Foundry send what is logged: `console.log` in ASCII. */
export const CONSOLE_ADDRESS = asAddress('0x000000000000000000636f6e736f6c652e6c6f67')

/** Most bytes kept of one execution: who logs in a loop shall not fill the memory. */
const MAX_BYTES = 256 * 1024

/** Bytes that a call counts for besides its input. */
const PER_CALL = 64

/** The calls of one execution, those of reverted frames among them. */
export interface ConsoleCalls {
  /** Call data, oldest first. */
  readonly inputs: readonly Uint8Array[]
  /** How many later calls were too many to be kept. */
  readonly omitted: number
}

/** Collects the calls of one execution. */
export class ConsoleSink implements ConsoleCalls {
  readonly inputs: Uint8Array[] = []
  omitted = 0
  #bytes = 0

  /** Keeps a copy: the input is the memory of the caller. */
  add(input: Uint8Array): void {
    this.#bytes += input.length + PER_CALL
    if (this.#bytes > MAX_BYTES) this.omitted++
    else this.inputs.push(input.slice())
  }
}
