/** Counts the work of an execution and gives the observer the opportunity to pause it, so that other requests can run. */

import type { Observer } from '../observer.ts'

/** Number of starts and ends of frames that take about as long as a slice: a few milliseconds. */
const FRAMES_PER_SLICE = 64

/**
 * Calls the hook `onSlice` of the observer of one execution after each slice. Code without jumps has no slices, so frames are
 * counted too.
 */
export class PauseCounter {
  readonly #observer: Observer | undefined
  #framesLeft = FRAMES_PER_SLICE

  constructor(observer: Observer | undefined) {
    this.#observer = observer
  }

  /**
   * To be called before a frame starts, and before it resumes after a call. Returns the observer's promise if it pauses the
   * execution.
   */
  beforeFrame(): Promise<void> | undefined {
    this.#framesLeft--
    return this.#framesLeft > 0 ? undefined : this.afterSlice()
  }

  /** To be called after a slice. Returns the observer's promise if it pauses the execution. */
  afterSlice(): Promise<void> | undefined {
    this.#framesLeft = FRAMES_PER_SLICE
    return this.#observer?.onSlice?.()
  }
}
