/** Values of maps that are made when they are first needed. */

/** Returns the value of a key. If the map has none, makes it and adds it. */
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
