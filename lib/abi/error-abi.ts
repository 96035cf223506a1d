/** Reads the custom errors of a contract from its ABI and formats their data. */

import { bytesRegex, integerRegex } from 'ox/Solidity'
import { fromHex } from '../base/hex.ts'
import { readAbi, typeList } from './fragments.ts'
import { AbiError } from './reader.ts'
import { SELECTOR_CHARACTERS, selectorOf } from './selector.ts'
import { decodeValues, itemType } from './values.ts'
import type { AbiParameterType } from './values.ts'

/** A custom error of a contract. */
export interface ErrorAbi {
  readonly name: string
  readonly selector: string
  readonly types: readonly AbiParameterType[]
}

const SIMPLE_TYPES = new Set(['bool', 'address', 'string', 'function'])

/** The custom errors that an ABI declares; empty if the value is not an ABI. */
export function errorsOf(abi: unknown): readonly ErrorAbi[] {
  return readAbi(abi).flatMap(({ type, name, inputs: types }) =>
    type === 'error' && name !== undefined && types?.every(isKnown) === true
      ? [{ name, types, selector: selectorOf(name + typeList(types)) }]
      : [],
  )
}

/** Whether a type can be decoded. */
function isKnown({ type, components }: AbiParameterType): boolean {
  const item = itemType(type)
  if (item !== undefined) return isKnown({ type: item, components })
  if (type === 'tuple') return components?.every(isKnown) === true
  return SIMPLE_TYPES.has(type) || bytesRegex.test(type) || integerRegex.test(type)
}

/** Maximum characters of data that is formatted, because the text becomes a line of a log or of an error. */
const MAX_SHOWN = 1_280_000

/** The error with its arguments, such as `Refused(5, "text")`; undefined if the data does not encode them. */
export function errorText({ name, types }: ErrorAbi, data: string): string | undefined {
  if (data.length > MAX_SHOWN) return undefined
  try {
    const values = decodeValues(types, fromHex(`0x${data.slice(SELECTOR_CHARACTERS)}`))
    return `${name}(${textsOf(types, values)})`
  } catch (error) {
    if (error instanceof AbiError) return undefined
    throw error
  }
}

const textsOf = (types: readonly AbiParameterType[], values: readonly unknown[]): string =>
  types.map((type, index) => textOf(type, values[index])).join(', ')

/** A value as text, with strings in quotation marks. */
function textOf({ type, components }: AbiParameterType, value: unknown): string {
  if (Array.isArray(value)) {
    const item = itemType(type)
    if (item === undefined) return `(${textsOf(components ?? [], value)})`
    return `[${value.map((each: unknown) => textOf({ type: item, components }, each)).join(', ')}]`
  }
  return type === 'string' ? `"${String(value)}"` : String(value)
}
