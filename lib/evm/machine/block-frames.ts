/** Runs frames in the core, which checks gas and stack once for each basic block. */

import type { CodeMonitor } from '../observer.ts'
import type { ExecutionEnvironment } from './environment.ts'
import type { Frame } from './frame.ts'
import { isCreation, type Halt } from './frame-input.ts'

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
 * Gas of a slice. The core stops after each slice, so that other requests can run, and because V8 replaces the code of the
 * loop by optimized code only between two calls of it.
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
    if (monitor === undefined) return undefined
    if (this.#last?.frame !== frame) {
      const running = { code: frame.code, isCreation: isCreation(frame.message), rules }
      this.#last = { frame, monitor: monitor.monitorOf(running), block: undefined }
    }
    return this.#last
  }
}
