/** Arguments of functions as people type them. */

import { argumentOf } from '../../lib/abi/arguments.ts'

/** Reads the text of an argument. Arrays and tuples are written in JSON. @throws Error that names the argument */
export function readArgument(parameter: Parameters<typeof argumentOf>[0], text: string): unknown {
  const { type, name = '' } = parameter
  try {
    return argumentOf(parameter, type.endsWith(']') || type === 'tuple' ? JSON.parse(text) : text.trim())
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`${name === '' ? 'the argument' : name}: expected ${type}: ${reason}`)
  }
}
