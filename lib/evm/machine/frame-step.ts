/** The `Step` of an observer: an instruction before it runs, with the stack and memory in the core. */

import type { Address } from '../../base/hex.ts'
import type { Step } from '../observer.ts'
import type { Frame } from './frame.ts'
import type { Instruction } from './instruction.ts'
import { STEP_REFUND } from './layout.ts'

/**
 * The values before the instruction. They can be read even after it failed, because the words that it popped are still in the
 * memory of the core.
 */
export class FrameStep implements Step {
  readonly pc: number
  readonly opcode: number
  readonly refund: number
  readonly #frame: Frame
  readonly #instruction: Instruction | undefined
  readonly #gasLeft: number
  readonly #gas: number
  readonly #height: number
  readonly #memorySize: number

  constructor(
    frame: Frame,
    { instruction, gas }: { readonly instruction: Instruction | undefined; readonly gas: number },
  ) {
    this.pc = frame.position
    this.opcode = frame.opcode
    this.refund = frame.core.f64[STEP_REFUND >>> 3] ?? 0
    this.#frame = frame
    this.#instruction = instruction
    this.#gasLeft = frame.gas
    this.#gas = gas
    this.#height = frame.height
    this.#memorySize = frame.memorySize
  }

  get name(): string | undefined {
    return this.#instruction?.name
  }

  get inputs(): number {
    return this.#instruction?.inputs ?? 0
  }

  get gasLeft(): bigint {
    return BigInt(this.#gasLeft)
  }

  get cost(): bigint {
    return BigInt(this.#gas)
  }

  get depth(): number {
    return this.#frame.message.depth
  }

  get stack(): readonly bigint[] {
    return this.#frame.stack(this.#height)
  }

  get memory(): Uint8Array {
    return this.#frame.view(0, this.#memorySize)
  }

  get address(): Address {
    return this.#frame.address
  }
}
