/** Values that are computed when they are first used, and kept. */

/** The function with its result kept. */
export function once<T>(compute: () => T): () => T {
  let known: { readonly value: T } | undefined
  return () => (known ??= { value: compute() }).value
}

/** The function with its results kept as long as the objects that they were computed from. */
export function oncePer<Key extends object, T>(compute: (key: Key) => T): (key: Key) => T {
  const known = new WeakMap<Key, { readonly value: T }>()
  return (key) => getOrAdd(known, key, () => ({ value: compute(key) })).value
}

/** The function with its results kept as long as it is kept itself. */
export function oncePerValue<Key, T>(compute: (key: Key) => T): (key: Key) => T {
  const known = new Map<Key, { readonly value: T }>()
  return (key) => getOrAdd(known, key, () => ({ value: compute(key) })).value
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

/** An object whose members are computed when they are first read, and kept. */
export function lazyMembers<T extends object>(compute: { readonly [Name in keyof T]-?: () => T[Name] }): T {
  const members: PropertyDescriptorMap = {}
  for (const name in compute) members[name] = { get: once(compute[name]), enumerable: true }
  // The result of Object.create has no type.
  const create: (prototype: object, members: PropertyDescriptorMap) => T = Object.create
  return create(Object.prototype, members)
}

/** Returns the value of a key, or makes and adds one. */
export function getOrAdd<Key, Value extends object>(
  map: { get(key: Key): Value | undefined; set(key: Key, value: Value): unknown },
  key: Key,
  make: () => Value,
): Value {
  const known = map.get(key)
  if (known !== undefined) return known
  const value = make()
  map.set(key, value)
  return value
}
