/** What differs between this node and the reference node of network 33: the table of docs/specification.md, and what the replay test allows. */

/** One row of the table. */
export interface Difference {
  /** Short and stable, as in `time-adds-up`. */
  readonly id: string
  readonly subject: string
  /** What the reference node does. */
  readonly reference: string
  /** What this node does instead. */
  readonly here: string
  readonly why: string
  /** Whether `--faithful` removes the difference. */
  readonly isGoneWithFaithful: boolean
  /** The recorded differences that belong to the row. */
  readonly where: {
    /** Names of methods, or a pattern for them; every method if absent. */
    readonly methods?: readonly string[] | RegExp
    /** Path in the answer, such as `.error.message` or `.result[0].output`; `http` is the status. */
    readonly path?: RegExp
    /** Text of the recorded value, of this node's value, or of both. */
    readonly recorded?: RegExp
    readonly own?: RegExp
  }
  /** Why no recording has it; absent if one does. */
  readonly unrecorded?: string
}

/** All rows; the first one that fits a difference explains it. */
export const DIFFERENCES: readonly Difference[] = []
