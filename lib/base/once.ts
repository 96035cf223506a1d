/** Values that are computed when they are first used, and kept. */

/** The function with its result kept. */
export function once<T>(compute: () => T): () => T {
  let known: { readonly value: T } | undefined
  return () => (known ??= { value: compute() }).value
}

/** The function with its results kept as long as the objects that they were computed from. */
export function oncePer<Key extends object, T>(compute: (key: Key) => T): (key: Key) => T {
  const known = new WeakMap<Key, { readonly value: T }>()
  return (key) => {
    let kept = known.get(key)
    if (kept === undefined) known.set(key, (kept = { value: compute(key) }))
    return kept.value
  }
}

/** The function with a cache of its results, which is emptied when it has as many entries as the limit. */
export function cached<Key, Result extends string | object>(
  limit: number,
  compute: (key: Key) => Result,
): (key: Key) => Result {
  const results = new Map<Key, Result>()
  return (key) => {
    const known = results.get(key)
    if (known !== undefined) return known
    if (results.size >= limit) results.clear()
    const result = compute(key)
    results.set(key, result)
    return result
  }
}
