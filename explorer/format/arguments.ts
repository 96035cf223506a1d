/** Arguments of functions as people type them. */

interface Parameter {
  readonly type: string
  readonly name?: string | undefined
  readonly components?: readonly Parameter[] | undefined
}

/** Reads the text of an argument. Arrays and tuples are written in JSON. @throws Error that names the argument */
export function readArgument(parameter: Parameter, text: string): unknown {
  const { type, name = '' } = parameter
  try {
    return valueOf(parameter, type.endsWith(']') || type === 'tuple' ? JSON.parse(text) : text.trim())
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`${name === '' ? 'the argument' : name}: expected ${type}: ${reason}`)
  }
}

function valueOf(parameter: Parameter, given: unknown): unknown {
  const { type, components = [] } = parameter
  const element = /^(.*)\[\d*\]$/.exec(type)?.[1]
  if (element !== undefined) {
    if (!Array.isArray(given)) throw new Error('a list in JSON')
    return given.map((one: unknown) => valueOf({ ...parameter, type: element }, one))
  }
  if (type === 'tuple') {
    const members: unknown = given
    if (typeof members !== 'object' || members === null) throw new Error('an object in JSON')
    const values = new Map(Object.entries(members))
    return Object.fromEntries(
      components.map((one, index) => [
        one.name ?? '',
        valueOf(one, values.get(one.name ?? '') ?? values.get(String(index))),
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
