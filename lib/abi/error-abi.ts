/** Custom errors of contracts by their selectors, out of the ABIs that compilers write. */

import { fromHex } from '../base/hex.ts'
import { AbiError, AbiReader } from './reader.ts'
import { elementary, listOf, quoted, readTexts, selectorOf, tupleOf } from './value-text.ts'
import type { TextType } from './value-text.ts'

/** A custom error of a contract. */
export interface ErrorAbi {
  readonly name: string
  readonly selector: string
  readonly types: readonly TextType[]
}

/** The custom errors that an ABI declares; none for what is no ABI. */
export function errorsOf(abi: unknown): readonly ErrorAbi[] {
  if (!Array.isArray(abi)) return []
  return abi.map(errorOf).filter((error) => error !== undefined)
}

function errorOf(entry: unknown): ErrorAbi | undefined {
  const { type, name, inputs } = membersOf(entry)
  if (type !== 'error' || typeof name !== 'string') return undefined
  const types = typesOf(inputs)
  return types === undefined ? undefined : { name, types, selector: selectorOf(name, types) }
}

function typesOf(inputs: unknown): readonly TextType[] | undefined {
  if (!Array.isArray(inputs)) return undefined
  const types = inputs.map(typeOf).filter((type) => type !== undefined)
  return types.length === inputs.length ? types : undefined
}

/** A name such as `tuple[2][]`: the item, and the lists around it from the inside out. */
const TYPE = /^([a-z0-9]+)((?:\[\d*\])*)$/

function typeOf(input: unknown): TextType | undefined {
  const { type, components } = membersOf(input)
  const [, item, lists] = TYPE.exec(typeof type === 'string' ? type : '') ?? []
  if (item === undefined || lists === undefined) return undefined
  const inner = item === 'tuple' ? tupleType(components) : elementary(item)
  if (inner === undefined) return undefined
  return [...lists.matchAll(/\[(\d*)\]/g)].reduce(
    (type, [, length]) => listOf(type, length === '' ? undefined : Number(length)),
    quoted(inner),
  )
}

function tupleType(components: unknown): TextType | undefined {
  const members = typesOf(components)
  return members === undefined ? undefined : tupleOf(members)
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

/** The error with its arguments, as in `Refused(5, "text")`; absent when the data does not encode them. */
export function errorText({ name, types }: ErrorAbi, data: string): string | undefined {
  try {
    return `${name}(${readTexts(types, new AbiReader(fromHex(`0x${data.slice(10)}`))).join(', ')})`
  } catch (error) {
    if (error instanceof AbiError) return undefined
    throw error
  }
}
