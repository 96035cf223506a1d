/**
 * Data that is not in memory yet. Execution and reads are synchronous: a read of such data throws, its caller waits until the
 * data is loaded and reads again.
 */

/** Thrown by a read whose data has to be loaded first. Nothing has been changed by that read. */
export class NotLoadedError extends Error {
  /** Loads the data. Rejects if it cannot be loaded. */
  readonly load: () => Promise<void>

  /** `what` names the data for developers. */
  constructor(what: string, load: () => Promise<void>) {
    super(`not loaded: ${what}`)
    this.name = 'NotLoadedError'
    this.load = load
  }
}

/** The value of a read; undefined if its data is not in memory. */
export function ifLoaded<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof NotLoadedError) return undefined
    throw error
  }
}
