/** Runs frames for an observer that hears of every instruction, or of those at which frames fail. */

import type { Observer } from '../observer.ts'
import type { Frame } from './frame.ts'
import { FrameStep } from './frame-step.ts'
import { Halt, OUT_OF_GAS, haltOfCore } from './halt.ts'
import type { Instruction } from './instruction.ts'
import { COST, HALT, SLICE, STEP } from './layout.ts'
import type { Machine } from './machine.ts'
import type { InstructionTable } from './table.ts'

/** An instruction whose cost has been worked out, or that cannot run. */
interface Plan {
  readonly instruction: Instruction | undefined
  /** Only the constant part where working it out failed. */
  readonly gas: number
  readonly halt: Halt | undefined
}

/** A plan that the observer knows. */
interface Announced {
  readonly plan: Plan
  readonly step: FrameStep
}

/** Runs the frames of one machine, each instruction after the observer has heard of it. */
export class ObservedFrames {
  readonly #machine: Machine
  readonly #table: InstructionTable
  readonly #observer: Observer
  /** What was announced and has not been performed. */
  #announced: Announced | undefined

  constructor(machine: Machine, table: InstructionTable, observer: Observer) {
    this.#machine = machine
    this.#table = table
    this.#observer = observer
  }

  /** Runs a frame until it ends, calls another or is paused; a pause is answered. */
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
      } else if (stop !== PERFORMED) this.#machine.answer(frame, stop)
    }
    return undefined
  }

  #step({ at, core }: Frame, performs: boolean): number {
    const stop = core.stepFrame(at, performs ? 1 : 0)
    core.refresh()
    return stop
  }

  /** Performs what was announced. If the core does, it announces the next instruction or answers why it stopped. */
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

  /** What the core has worked out, or the host does; nothing is charged yet. */
  #planOf(frame: Frame): Plan {
    const { at, core, opcode } = frame
    const instruction = this.#table[opcode]
    const answer = (core.u32[(at + HALT) >>> 2] ?? 0) | 0
    const halt = answer === 0 ? undefined : haltOfCore(answer)
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

/** The host has performed an instruction; no answer of the core. */
const PERFORMED = 0x400
