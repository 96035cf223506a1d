/** Arguments of functions as people and programs write them in JSON. */

interface Parameter {
  readonly type: string
  readonly name?: string | undefined
  readonly components?: readonly Parameter[] | undefined
}

/**
 * The value of a parameter for an encoder: numbers as bigints, also from decimal or hex digits, tuples as objects by name from objects or
 * lists. The encoder checks lengths and ranges. @throws Error that says what was expected
 */
export function argumentOf(parameter: Parameter, given: unknown): unknown {
  const { type, components = [] } = parameter
  const element = itemType(type)
  if (element !== undefined) {
    if (!Array.isArray(given)) throw new Error('a list in JSON')
    return given.map((one: unknown) => argumentOf({ ...parameter, type: element }, one))
  }
  if (type === 'tuple') {
    if (typeof given !== 'object' || given === null) throw new Error('an object in JSON')
    const values = new Map<string, unknown>(Object.entries(given))
    return Object.fromEntries(
      components.map((one, index) => [
        one.name ?? '',
        argumentOf(one, values.get(one.name ?? '') ?? values.get(String(index))),
      ]),
    )
  }
  if (type === 'bool') {
    if (given === true || given === 'true') return true
    if (given === false || given === 'false') return false
    throw new Error('true or false')
  }
  if (/^u?int/.test(type)) return BigInt(String(given))
  return String(given)
}

/** The type of the items of a list; undefined if the type is not a list. */
export const itemType = (type: string): string | undefined => /^(.*)\[\d*\]$/.exec(type)?.[1]
