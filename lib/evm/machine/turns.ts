/** Counts the work of an execution, so that others have their turn in it. */

import type { Observer } from '../observer.ts'

/** Beginnings and ends of frames that take about as long as a slice: some milliseconds. */
const FRAMES_PER_SLICE = 64

/** The turns of others in one execution. Code without jumps has no slices, so frames are counted too. */
export class Turns {
  readonly #observer: Observer | undefined
  #framesLeft = FRAMES_PER_SLICE

  constructor(observer: Observer | undefined) {
    this.#observer = observer
  }

  /** A frame runs, or goes on after a call; answers the pause before it, if the observer wants one. */
  beforeFrame(): Promise<void> | undefined {
    this.#framesLeft--
    return this.#framesLeft > 0 ? undefined : this.afterSlice()
  }

  /** The slice of a frame is over. */
  afterSlice(): Promise<void> | undefined {
    this.#framesLeft = FRAMES_PER_SLICE
    return this.#observer?.onSlice?.()
  }
}
