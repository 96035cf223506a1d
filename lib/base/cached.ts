/** Caches the results of functions that always return the same for the same argument. */

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
