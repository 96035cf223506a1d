/** Runs frames in the core, which checks gas and stack once for each basic block. */

import type { Observer } from '../observer.ts'
import type { Frame } from './frame.ts'
import { FULL, SLICE } from './layout.ts'
import type { Machine } from './machine.ts'

/** Runs the frames of one machine. */
export interface FrameRunner {
  /** Runs a frame until it ends, calls another one or pauses. Returns the promise that a pause waits for. @throws Halt */
  readonly run: (frame: Frame) => Promise<void> | undefined
}

/** Runs the frames of one machine, and reports the basic blocks to an observer that has a hook for them. */
export class BlockFrames implements FrameRunner {
  readonly #machine: Machine
  readonly #onBlocks: Observer['onBlocks']

  constructor(machine: Machine, onBlocks: Observer['onBlocks']) {
    this.#machine = machine
    this.#onBlocks = onBlocks
  }

  run(frame: Frame): Promise<void> | undefined {
    const machine = this.#machine
    while (machine.isRunning(frame)) {
      const stop =
        this.#onBlocks === undefined ? frame.core.runFrame(frame.at) : frame.core.runAndNoteFrame(frame.at)
      frame.core.refresh()
      this.#onBlocks?.(frame.code, frame.core.takeNotedBlocks())
      if (stop === SLICE) {
        const pause = machine.beginSlice(frame)
        if (pause !== undefined) return pause
      } else if (stop !== FULL) machine.handleResult(frame, stop)
    }
    return undefined
  }
}
