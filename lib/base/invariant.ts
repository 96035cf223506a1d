/** Assertions that fail only if the program is wrong. */

/** A bug in the program, not an error of the user. */
export class InvariantError extends Error {
  constructor(message: string) {
    super(`invariant broken: ${message}`)
    this.name = 'InvariantError'
  }
}

/** Asserts a condition that holds for every input. */
export function invariant(condition: boolean, message: string): asserts condition {
  if (!condition) throw new InvariantError(message)
}

/** Returns the value, which is known to be present. */
export function present<T>(value: T | undefined | null, what: string): T {
  if (value === undefined || value === null) throw new InvariantError(`${what} is missing`)
  return value
}

/** Closes an exhaustive `switch`: does not compile while a case is missing. */
export function unreachable(value: never): never {
  throw new InvariantError(`unexpected ${String(value)}`)
}
