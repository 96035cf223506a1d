/** Runs frames in the core, which checks gas and stack once for each basic block, or stops before each instruction for an observer. */

import { CHARGED, COST, HALT, STEP, STEP_REFUND } from '../../../assembly/layout.ts'
import type { Address } from '../../base/hex.ts'
import type { CodeMonitor, Observer, Step } from '../observer.ts'
import { instructionTable } from './core-tables.ts'
import type { ExecutionEnvironment } from './environment.ts'
import type { Execution } from './execution.ts'
import { isCreation, Halt, OUT_OF_GAS, haltOfCore } from './frame-input.ts'
import type { Frame } from './frame.ts'
import { gasOf, type Instruction } from './instruction.ts'

/** Runs the frames of one machine in the core. */
export interface FrameRunner {
  /** Gas that is used between two pauses. */
  readonly sliceGas: number
  /** Runs a frame until the core stops. Returns the reason (layout.ts), or the promise that the observer waits for. @throws Halt */
  readonly run: (frame: Frame) => number | Promise<void>
  /** Called when an exception ends a frame. */
  readonly noteHalt?: ((frame: Frame, halt: Halt) => void) | undefined
}

/**
 * Gas of a slice. The core stops after each slice to let other requests run, and because V8 replaces the loop's code by optimized
 * code only between two calls.
 */
const SLICE_GAS = 1_000_000

/** Runs frames without reports. */
export const BLOCK_FRAMES: FrameRunner = {
  sliceGas: SLICE_GAS,
  run: ({ at, core }) => {
    const stop = core.wasm.run(at)
    core.refresh()
    return stop
  },
}

/** Runs frames, and reports the basic blocks that they enter. */
export class NotedFrames implements FrameRunner {
  readonly sliceGas = SLICE_GAS
  readonly #environment: ExecutionEnvironment
  /** The frame that ran last, the monitor of its code, and the block that it entered last. */
  #last: { readonly frame: Frame; readonly monitor: CodeMonitor; block: number | undefined } | undefined

  constructor(environment: ExecutionEnvironment) {
    this.#environment = environment
  }

  run(frame: Frame): number {
    const { at, core } = frame
    const last = this.#lastOf(frame)
    const stop = core.wasm.runAndNote(at)
    core.refresh()
    const blocks = core.takeNotedBlocks()
    if (last !== undefined) {
      last.monitor.count(blocks, last.block)
      last.block = blocks.at(-1) ?? last.block
    }
    this.#environment.observer?.onBlocks?.(frame.code, blocks)
    return stop
  }

  noteHalt(frame: Frame): void {
    this.#lastOf(frame)?.monitor.halt(frame.position)
  }

  #lastOf(frame: Frame) {
    const { monitor, rules } = this.#environment
    if (this.#last?.frame === frame) return this.#last
    const running = { code: frame.code, isCreation: isCreation(frame.message), rules }
    const counting = monitor?.monitorOf?.(running)
    return (this.#last = counting && { frame, monitor: counting, block: undefined })
  }
}

/** The values before the instruction, even after it failed: the popped words are still in the core's memory. */
class FrameStep implements Step {
  readonly pc: number
  readonly opcode: number
  readonly name: string | undefined
  readonly inputs: number
  readonly gasLeft: bigint
  readonly cost: bigint
  readonly refund: number
  readonly depth: number
  readonly address: Address
  readonly height: number
  readonly #frame: Frame
  readonly #memorySize: number

  constructor(frame: Frame, { instruction, gas }: Pick<Plan, 'instruction' | 'gas'>) {
    this.pc = frame.position
    this.opcode = frame.opcode
    this.name = instruction?.name
    this.inputs = instruction?.inputs ?? 0
    this.gasLeft = BigInt(frame.gas)
    this.cost = BigInt(gas)
    this.refund = frame.core.f64[STEP_REFUND >>> 3] ?? 0
    this.depth = frame.message.depth
    this.address = frame.address
    this.#frame = frame
    this.height = frame.height
    this.#memorySize = frame.memorySize
  }

  get stack(): readonly bigint[] {
    return this.#frame.stack(this.height)
  }

  word(below: number): bigint {
    return this.#frame.word(below)
  }

  get memory(): Uint8Array {
    return this.#frame.view(0, this.#memorySize)
  }
}

/** The next instruction: its gas, and the exception if it cannot run. */
interface Plan {
  readonly instruction: Instruction | undefined
  /** Only the constant gas if computing the dynamic gas failed. */
  readonly gas: number
  readonly halt: Halt | undefined
}

/** Gas of a slice, which takes much longer with notifications than without. */
const OBSERVED_SLICE_GAS = 100_000

/**
 * Runs the frames of one machine for an observer with hooks for instructions or exceptions (geth's OnOpcode and OnFault). The core
 * stops before each instruction with its gas and exception; the observer is notified; then the core or the machine performs the
 * instruction.
 */
export class ObservedFrames implements FrameRunner {
  readonly sliceGas = OBSERVED_SLICE_GAS
  readonly #execution: Execution
  readonly #observer: Observer
  /** The instruction that the observer was notified of, until it runs. */
  #notified: { readonly plan: Plan; readonly step: FrameStep } | undefined
  #running: FrameStep | undefined

  constructor(execution: Execution, observer: Observer) {
    this.#execution = execution
    this.#observer = observer
  }

  /** Performs the notified instruction, or notifies the observer of the next one. */
  run(frame: Frame): number | Promise<void> {
    const notified = this.#notified
    this.#notified = undefined
    this.#running = notified?.step
    const stop = notified === undefined ? this.#step(frame, 0) : this.#perform(frame, notified.plan)
    return stop === STEP ? (this.#notify(frame) ?? stop) : stop
  }

  noteHalt(_frame: Frame, { message }: Halt): void {
    if (this.#running !== undefined) this.#observer.onFault?.(this.#running, message)
  }

  #step({ at, core }: Frame, performs: 0 | 1): number {
    const stop = core.wasm.step(at, performs)
    core.refresh()
    return stop
  }

  /** Performs an instruction, charging first if the machine performs it. Returns the reason of the stop. */
  #perform(frame: Frame, { gas, halt, instruction }: Plan): number {
    frame.changeAbove(frame.height - (instruction?.inputs ?? 0))
    if (halt !== undefined) throw halt
    if (instruction?.request === undefined) return this.#step(frame, 1)
    frame.gas -= gas
    return CHARGED | frame.opcode
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
    const instruction = instructionTable(this.#execution.rules)[opcode]
    const result = (core.u32[(at + HALT) >>> 2] ?? 0) | 0
    const halt = result === 0 ? undefined : haltOfCore(result)
    if (instruction === undefined) return { instruction, gas: 0, halt }
    if (halt !== undefined || instruction.request === undefined) {
      return { instruction, gas: instruction.gas + (core.f64[(at + COST) >>> 3] ?? 0), halt }
    }
    try {
      const gas = gasOf(instruction, frame, this.#execution)
      return { instruction, gas, halt: gas > frame.gas ? OUT_OF_GAS : undefined }
    } catch (error) {
      if (!(error instanceof Halt)) throw error
      return { instruction, gas: instruction.gas, halt: error }
    }
  }
}
