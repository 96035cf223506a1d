/** Runs frames with an observer of every instruction, or of faults. */

import type { Address } from '../../../lib/base/hex.ts'
import { EMPTY_BYTES } from '../../../lib/base/hex.ts'
import type { Observer, Step } from '../../../lib/evm/observer.ts'
import type { Frame } from './frame.ts'
import { Halt, INVALID_OPCODE, MAX_HEIGHT, OUT_OF_GAS, STACK_OVERFLOW, STACK_UNDERFLOW } from './halt.ts'
import type { Instruction } from './instruction.ts'
import type { Machine } from './machine.ts'
import type { InstructionTable } from './table.ts'

/** An instruction with its cost, or with the fault that prevents it. */
interface Plan {
  readonly instruction: Instruction | undefined
  /** Only the constant part if the dynamic part failed. */
  readonly gas: number
  readonly halt: Halt | undefined
}

/** Runs the frames of one machine, each instruction after its hook. */
export class ObservedFrames {
  readonly #machine: Machine
  readonly #table: InstructionTable
  readonly #observer: Observer
  /** The instruction whose hook paused the execution. */
  #planned: { readonly plan: Plan; readonly step: FrameStep } | undefined

  constructor(machine: Machine, table: InstructionTable, observer: Observer) {
    this.#machine = machine
    this.#table = table
    this.#observer = observer
  }

  /** Runs a frame until it ends, calls another or is paused; returns the promise of the pause. */
  run(frame: Frame): Promise<void> | undefined {
    while (frame.isRunning) {
      if (frame.position >= frame.code.bytes.length) {
        this.#machine.end(frame, 'success', EMPTY_BYTES)
        return undefined
      }
      if (this.#planned === undefined) {
        const plan = planOf(this.#machine, frame, this.#table)
        const step = new FrameStep(frame, plan, this.#machine.substate.storageRefund)
        this.#planned = { plan, step }
        const pause = this.#observer.onOpcode?.(step)
        if (pause !== undefined) return pause
      }
      const { plan, step } = this.#planned
      this.#planned = undefined
      this.#perform(frame, plan, step)
    }
    return undefined
  }

  #perform(frame: Frame, { gas, halt, instruction }: Plan, step: Step): void {
    try {
      if (halt !== undefined) throw halt
      frame.gas -= gas
      frame.position++
      instruction?.run(frame, this.#machine)
    } catch (error) {
      if (error instanceof Halt) this.#observer.onFault?.(step, error.message)
      throw error
    }
  }
}

/** Computes the cost of the next instruction without charging it. */
function planOf(machine: Machine, frame: Frame, table: InstructionTable): Plan {
  const instruction = table[frame.code.bytes[frame.position] ?? 0]
  if (instruction === undefined) return { instruction, gas: 0, halt: INVALID_OPCODE }
  const { dynamicGas, gas: fixed } = instruction
  const stackHalt = stackHaltOf(frame, instruction)
  if (stackHalt !== undefined) return { instruction, gas: fixed, halt: stackHalt }
  try {
    const gas = fixed + (dynamicGas === undefined ? 0 : dynamicGas(frame, machine))
    return { instruction, gas, halt: gas > frame.gas ? OUT_OF_GAS : undefined }
  } catch (error) {
    if (!(error instanceof Halt)) throw error
    return { instruction, gas: fixed, halt: error }
  }
}

function stackHaltOf({ height }: Frame, { inputs, outputs }: Instruction): Halt | undefined {
  if (height < inputs) return STACK_UNDERFLOW
  return height - inputs + outputs > MAX_HEIGHT ? STACK_OVERFLOW : undefined
}

/** The step before the instruction, also after it failed: its popped words are still in the frame. */
class FrameStep implements Step {
  readonly pc: number
  readonly refund: number
  readonly #frame: Frame
  readonly #instruction: Instruction | undefined
  readonly #gasLeft: number
  readonly #gas: number
  readonly #height: number
  readonly #memorySize: number

  constructor(frame: Frame, { instruction, gas }: Plan, refund: number) {
    this.pc = frame.position
    this.refund = refund
    this.#frame = frame
    this.#instruction = instruction
    this.#gasLeft = frame.gas
    this.#gas = gas
    this.#height = frame.height
    this.#memorySize = frame.memory.size
  }

  get opcode(): number {
    return this.#frame.code.bytes[this.pc] ?? 0
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
    return this.#frame.words.slice(0, this.#height)
  }

  get memory(): Uint8Array {
    return this.#frame.memory.view(0, this.#memorySize)
  }

  get address(): Address {
    return this.#frame.address
  }
}
