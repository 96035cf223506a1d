/** Values that are computed when they are first used. */

/** The function with its result kept. */
export function once<T>(compute: () => T): () => T {
  let known: { readonly value: T } | undefined
  return () => (known ??= { value: compute() }).value
}
