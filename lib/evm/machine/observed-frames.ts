/** Runs frames for an observer with hooks for instructions or for exceptions. */

import type { Observer } from '../observer.ts'
import type { Frame } from './frame.ts'
import { FrameStep } from './frame-step.ts'
import { Halt, OUT_OF_GAS, haltOfCore } from './halt.ts'
import type { Instruction } from './instruction.ts'
import { COST, HALT, SLICE, STEP } from './layout.ts'
import type { Machine } from './machine.ts'
import type { InstructionTable } from './table.ts'

/** The next instruction: its gas, and the exception if it cannot run. */
interface Plan {
  readonly instruction: Instruction | undefined
  /** Only the constant gas if computing the dynamic gas failed. */
  readonly gas: number
  readonly halt: Halt | undefined
}

/** An instruction of which the observer has been notified. */
interface Announced {
  readonly plan: Plan
  readonly step: FrameStep
}

/** Runs the frames of one machine, and notifies the observer before each instruction. */
export class ObservedFrames {
  readonly #machine: Machine
  readonly #table: InstructionTable
  readonly #observer: Observer
  /** The announced instruction that has not been performed. */
  #announced: Announced | undefined

  constructor(machine: Machine, table: InstructionTable, observer: Observer) {
    this.#machine = machine
    this.#table = table
    this.#observer = observer
  }

  /** Runs a frame until it ends, calls another or is paused. Returns the promise of a pause. */
  run(frame: Frame): Promise<void> | undefined {
    while (this.#machine.isRunning(frame)) {
      const announced = this.#announced
      this.#announced = undefined
      const stop = announced === undefined ? this.#step(frame, false) : this.#perform(frame, announced)
      if (stop === STEP) {
        const pause = this.#announce(frame)
        if (pause !== undefined) return pause
      } else if (stop === SLICE) {
        const turn = this.#machine.beginSlice(frame)
        if (turn !== undefined) return turn
      } else if (stop !== PERFORMED) this.#machine.handleResult(frame, stop)
    }
    return undefined
  }

  #step({ at, core }: Frame, performs: boolean): number {
    const stop = core.stepFrame(at, performs ? 1 : 0)
    core.refresh()
    return stop
  }

  /** Performs the announced instruction. Returns the next result of the core, or PERFORMED for one of the machine. */
  #perform(frame: Frame, { plan: { gas, halt, instruction }, step }: Announced): number {
    frame.changeAbove(frame.height - step.inputs)
    try {
      if (halt !== undefined) throw halt
      if (instruction?.request !== undefined) {
        this.#machine.perform(frame, instruction, gas)
        return PERFORMED
      }
      const stop = this.#step(frame, true)
      if (stop < 0) throw haltOfCore(stop)
      return stop
    } catch (error) {
      if (error instanceof Halt) this.#observer.onFault?.(step, error.message)
      throw error
    }
  }

  #announce(frame: Frame): Promise<void> | undefined {
    const plan = this.#planOf(frame)
    const step = new FrameStep(frame, plan)
    this.#announced = { plan, step }
    return this.#observer.onOpcode?.(step)
  }

  /** The next instruction with the gas that the core or the machine computes. Nothing is charged yet. */
  #planOf(frame: Frame): Plan {
    const { at, core, opcode } = frame
    const instruction = this.#table[opcode]
    const result = (core.u32[(at + HALT) >>> 2] ?? 0) | 0
    const halt = result === 0 ? undefined : haltOfCore(result)
    if (instruction === undefined) return { instruction, gas: 0, halt }
    if (halt !== undefined || instruction.request === undefined) {
      return { instruction, gas: instruction.gas + (core.f64[(at + COST) >>> 3] ?? 0), halt }
    }
    try {
      const gas = this.#machine.costOf(frame, instruction)
      return { instruction, gas, halt: gas > frame.gas ? OUT_OF_GAS : undefined }
    } catch (error) {
      if (!(error instanceof Halt)) throw error
      return { instruction, gas: instruction.gas, halt: error }
    }
  }
}

/** The machine has performed an instruction; not a result of the core. */
const PERFORMED = 0x400
