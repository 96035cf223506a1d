/**
 * Runs frames for an observer with hooks for instructions or exceptions (geth's OnOpcode and OnFault). The core then stops
 * before each instruction with its gas and exception; the observer is notified; then the core or the machine performs the
 * instruction.
 */

import type { Observer } from '../observer.ts'
import type { FrameRunner } from './block-frames.ts'
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

/** An instruction of which the observer was notified, and which runs next. */
interface NotifiedInstruction {
  readonly plan: Plan
  readonly step: FrameStep
}

/** Gas of a slice. It lasts much longer than one without notices. */
const SLICE_GAS = 100_000

/** Runs the frames of one machine, and notifies the observer before each instruction. */
export class ObservedFrames implements FrameRunner {
  readonly sliceGas = SLICE_GAS
  readonly #machine: Machine
  readonly #table: InstructionTable
  readonly #observer: Observer
  /** The instruction of which the observer was notified, until it runs. */
  #notified: NotifiedInstruction | undefined

  constructor(machine: Machine, table: InstructionTable, observer: Observer) {
    this.#machine = machine
    this.#table = table
    this.#observer = observer
  }

  /**
   * Runs a frame until it ends, calls another one or the observer pauses it. Returns the observer's promise if it is paused.
   */
  run(frame: Frame): Promise<void> | undefined {
    while (this.#machine.isRunning(frame)) {
      const notified = this.#notified
      this.#notified = undefined
      const stop = notified === undefined ? this.#step(frame, false) : this.#perform(frame, notified)
      if (stop === STEP) {
        const pause = this.#notify(frame)
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

  /**
   * Performs the instruction of which the observer was notified. Returns why the core stopped, or PERFORMED if the machine
   * performed the instruction.
   */
  #perform(frame: Frame, { plan: { gas, halt, instruction }, step }: NotifiedInstruction): number {
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

  #notify(frame: Frame): Promise<void> | undefined {
    const plan = this.#planOf(frame)
    const step = new FrameStep(frame, plan)
    this.#notified = { plan, step }
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

/** Result of `#perform` for an instruction that the machine performed. The core never returns it. */
const PERFORMED = 0x400
