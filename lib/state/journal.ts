/** How to take back every change since the outermost checkpoint, newest last. */

import { present } from '../base/invariant.ts'

/** Takes one change back. */
export type JournalEntry = () => void

/** Nested checkpoints over one list of changes. */
export class Journal {
  readonly #undos: JournalEntry[] = []
  /** Length of the list at each open checkpoint. */
  readonly #marks: number[] = []

  /** Number of open checkpoints. */
  get depth(): number {
    return this.#marks.length
  }

  /** Notes how to take back a change that has just been made; forgets it when no checkpoint is open. */
  push(undo: JournalEntry): void {
    if (this.#marks.length > 0) this.#undos.push(undo)
  }

  checkpoint(): void {
    this.#marks.push(this.#undos.length)
  }

  /** Closes the innermost checkpoint; its changes now belong to the one around it. */
  commit(): void {
    present(this.#marks.pop(), 'checkpoint to commit')
    if (this.#marks.length === 0) this.#undos.length = 0
  }

  /** Closes the innermost checkpoint and takes its changes back, newest first. */
  revert(): void {
    const mark = present(this.#marks.pop(), 'checkpoint to revert')
    while (this.#undos.length > mark) this.#undos.pop()?.()
  }
}
