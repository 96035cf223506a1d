/** Lists of failures without repetition, for the command and the explorer. */

/** The members of a failure that are compared. */
interface ListedFailure {
  readonly id: number
  readonly kind: string
  readonly world: string | null
  readonly reason: string
  readonly to?: string | undefined
  readonly contract?: string | undefined
  readonly function?: string | undefined
  readonly arguments?: unknown
  readonly place?: { readonly line?: number | undefined } | undefined
  readonly test?: { readonly title: string } | undefined
}

/** Failures of one call with the same arguments for the same reason in one test, newest first. */
export type Alike<Failure> = readonly [Failure, ...Failure[]]

/** Groups failures that are alike, in the order of their first ones. A call whose arguments are unknown is like no other. */
export function groupAlike<Failure extends ListedFailure>(
  failures: readonly Failure[],
): readonly Alike<Failure>[] {
  const groups = new Map<string, [Failure, ...Failure[]]>()
  for (const failure of failures) {
    const { id, kind, world, reason, to, contract = to, place, test, arguments: args = id } = failure
    // Each test may deploy the contract anew.
    const key = JSON.stringify([
      kind,
      world,
      reason,
      contract,
      failure.function,
      args,
      place?.line,
      test?.title,
    ])
    const known = groups.get(key)
    if (known === undefined) groups.set(key, [failure])
    else known.push(failure)
  }
  return [...groups.values()]
}
