/** Values of maps that are made when they are first needed. */

/** The value of a key, which is added if there is none. */
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
