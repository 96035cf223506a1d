/** Runs frames in the core, which checks gas and stack once for each basic block. */

import type { CodeMonitor, ExecutionMonitor } from '../execution-monitor.ts'
import type { Observer } from '../observer.ts'
import type { Frame } from './frame.ts'
import { isCreation } from './frame-input.ts'
import { FULL, SLICE } from './layout.ts'
import type { Machine } from './machine.ts'

/**
 * Gas of a slice. The core stops after each slice, so that other requests can run, and because V8 replaces the code of the
 * loop by optimized code only between two calls of it.
 */
const SLICE_GAS = 1_000_000

/** Runs the frames of one machine. */
export interface FrameRunner {
  /** Gas that is used between two pauses. */
  readonly sliceGas: number
  /** Runs a frame until it ends, calls another one or pauses. Returns the promise that a pause waits for. @throws Halt */
  readonly run: (frame: Frame) => Promise<void> | undefined
  /** Called when an exception ends a frame. */
  readonly noteHalt?: ((frame: Frame) => void) | undefined
}

/** Runs the frames of one machine without reports of what they run. */
export class BlockFrames implements FrameRunner {
  readonly sliceGas = SLICE_GAS
  readonly #machine: Machine

  constructor(machine: Machine) {
    this.#machine = machine
  }

  run(frame: Frame): Promise<void> | undefined {
    while (this.#machine.isRunning(frame)) {
      const stop = frame.core.runFrame(frame.at)
      frame.core.refresh()
      const pause = handleStop(this.#machine, frame, stop)
      if (pause !== undefined) return pause
    }
    return undefined
  }
}

/** Handles the stop of a frame in the core. Returns the promise that a pause waits for. @throws Halt */
function handleStop(machine: Machine, frame: Frame, stop: number): Promise<void> | undefined {
  if (stop === SLICE) return machine.beginSlice(frame)
  if (stop !== FULL) machine.handleResult(frame, stop)
  return undefined
}

/** Who is told of the basic blocks that frames run. */
export interface BlockListeners {
  readonly onBlocks: Observer['onBlocks']
  readonly monitor: ExecutionMonitor | undefined
}

/** Runs the frames of one machine, and reports the basic blocks that they enter. */
export class NotedFrames implements FrameRunner {
  readonly sliceGas = SLICE_GAS
  readonly #machine: Machine
  readonly #listeners: BlockListeners
  /** The frame that ran last, and the monitor of its code. */
  #last: { readonly frame: Frame; readonly monitor: CodeMonitor } | undefined

  constructor(machine: Machine, listeners: BlockListeners) {
    this.#machine = machine
    this.#listeners = listeners
  }

  run(frame: Frame): Promise<void> | undefined {
    const { onBlocks } = this.#listeners
    const monitor = this.#monitorOf(frame)
    while (this.#machine.isRunning(frame)) {
      const stop = frame.core.runAndNoteFrame(frame.at)
      frame.core.refresh()
      const blocks = frame.core.takeNotedBlocks()
      monitor?.count(blocks)
      onBlocks?.(frame.code, blocks)
      const pause = handleStop(this.#machine, frame, stop)
      if (pause !== undefined) return pause
    }
    return undefined
  }

  noteHalt(frame: Frame): void {
    this.#monitorOf(frame)?.halt(frame.position)
  }

  #monitorOf(frame: Frame): CodeMonitor | undefined {
    const { monitor } = this.#listeners
    if (monitor === undefined) return undefined
    if (this.#last?.frame !== frame) {
      const { code, message } = frame
      const running = { code, isCreation: isCreation(message), rules: this.#machine.rules }
      this.#last = { frame, monitor: monitor.monitorOf(running) }
    }
    return this.#last.monitor
  }
}
