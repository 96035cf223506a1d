/** Decoded values as texts. */

/** A value of an ABI as text: lists in brackets, members with their names. */
export function shownValue(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(shownValue).join(', ')}]`
  if (typeof value !== 'object' || value === null) return String(value)
  return `{ ${Object.entries(value)
    .map(([name, one]) => `${name}: ${shownValue(one)}`)
    .join(', ')} }`
}

/** Values with their names; a list has positions instead. */
export const namedValues = (values: unknown): readonly (readonly [string, string])[] =>
  typeof values !== 'object' || values === null
    ? []
    : Object.entries(values).map(([name, value]) => [Array.isArray(values) ? '' : name, shownValue(value)])
