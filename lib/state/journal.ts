/** Records how to undo every change since the outermost checkpoint. */

import { present } from '../base/invariant.ts'

/** Undoes one change. */
export type JournalEntry = () => void

/** A list of undo steps with nested checkpoints. */
export class Journal {
  readonly #entries: JournalEntry[] = []
  /** Length of the list at each open checkpoint. */
  readonly #marks: number[] = []

  /** Number of open checkpoints. */
  get depth(): number {
    return this.#marks.length
  }

  /** Adds the undo step of a change that was just made. Does nothing without an open checkpoint. */
  push(undo: JournalEntry): void {
    if (this.#marks.length > 0) this.#entries.push(undo)
  }

  checkpoint(): void {
    this.#marks.push(this.#entries.length)
  }

  /** Closes the innermost checkpoint. Its changes become part of the enclosing checkpoint. */
  commit(): void {
    present(this.#marks.pop(), 'checkpoint to commit')
    if (this.#marks.length === 0) this.#entries.length = 0
  }

  /** Closes the innermost checkpoint and undoes its changes, newest first. */
  revert(): void {
    const mark = present(this.#marks.pop(), 'checkpoint to revert')
    while (this.#entries.length > mark) this.#entries.pop()?.()
  }
}
