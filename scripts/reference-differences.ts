/** What differs between this node and the reference node of network 33: the tables of docs/specification.md, and what the replay test allows. */

/** Places of recorded differences. What is absent fits everything. */
export interface Place {
  /** Names of methods, or a pattern for them; `raw` is a request that is no call of a method. */
  readonly methods?: readonly string[] | RegExp
  /** Path in the answer, such as `.error.message` or `.result[0].output`; `http` is the status, `head` the height of the head. */
  readonly path?: RegExp
  /** The value of the reference node, and that of this node, as JSON; `absent` if there is none. */
  readonly recorded?: RegExp
  readonly own?: RegExp
}

/** One row of the table. */
export interface Row {
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
  readonly where: readonly Place[]
  /** Why no recording has it; absent if one does. */
  readonly unrecorded?: string
}

/** All rows; the first one that fits a difference explains it. */
export const ROWS: readonly Row[] = []
