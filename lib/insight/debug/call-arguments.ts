/** Encodes the arguments of calls in expressions: values of any type that the ABI has. */

import { fragmentSignature, type AbiFragment, type AbiInput } from '../../abi/fragments.ts'
import { selectorOf } from '../../abi/selector.ts'
import { encodeWords, itemType } from '../../abi/values.ts'
import { NodeError } from '../../base/errors.ts'
import { fromHex, toHex } from '../../base/hex.ts'
import { constantValue, elementaryType } from './expressions/typed-values.ts'
import { convertedWord } from './values/value-types.ts'
import { isUnknown, type UnknownValue, type Value } from './values/value.ts'

/** Maximum number of items of an array: the length of one in the storage can be any number. */
const MAX_ITEMS = 1024

/**
 * The first of some functions with one name that takes the arguments, and the data of its call.
 * @throws NodeError 'invalidParams' if none takes them, or if a part of an argument is not known
 */
export function encodedCall(
  overloads: readonly AbiFragment[],
  args: readonly Value[],
): { readonly called: AbiFragment; readonly data: Uint8Array } {
  for (const called of overloads) {
    const { inputs = [] } = called
    const values = inputs.map((input, index) => encodable(input, args[index]))
    if (values.includes(undefined)) continue
    const selector = fromHex(selectorOf(fragmentSignature(called)))
    return { called, data: Buffer.concat([selector, encodeWords(inputs, values)]) }
  }
  const given = args.map(({ text, type }) => `${text} (${type})`).join(', ')
  return refuse(`expected the arguments of ${overloads.map(fragmentSignature).join(' or ')}, got ${given}`)
}

function refuse(problem: string): never {
  throw new NodeError('invalidParams', problem)
}

/** A value as the encoder takes it; undefined if the type does not have it. */
function encodable(input: AbiInput, value: Value | UnknownValue | undefined): unknown {
  if (value === undefined) return undefined
  if (isUnknown(value)) return refuse(`a part of an argument is not known: ${value.unknown}`)
  const { type, components } = input
  if (type === 'string' || type === 'bytes') return value.content && toHex(value.content)
  const item = itemType(type)
  if (item !== undefined) return list({ ...input, type: item }, sizeOf(type), value)
  if (components !== undefined) return tuple(components, value)
  const word = elementaryType(type)
  return word && convertedWord(word, value)
}

/** Number of items that the type of an array asks for; undefined for any number. */
function sizeOf(type: string): number | undefined {
  const [, digits = ''] = /\[(\d*)\]$/.exec(type) ?? []
  return digits === '' ? undefined : Number(digits)
}

function list(item: AbiInput, size: number | undefined, { type, at, count, content }: Value): unknown {
  if (at === undefined || content !== undefined || type.startsWith('mapping')) return undefined
  if (count === undefined || count > MAX_ITEMS) return refuse(`an array has more than ${MAX_ITEMS} items`)
  if (size !== undefined && size !== count) return undefined
  return whole(Array.from({ length: count }, (_, index) => encodable(item, at(constantValue(BigInt(index))))))
}

function tuple(components: readonly AbiInput[], { parts, at }: Value): unknown {
  const members = at === undefined ? new Map(parts?.()) : undefined
  if (members?.size !== components.length) return undefined
  return whole(components.map((one) => encodable(one, members.get(one.name ?? ''))))
}

const whole = (values: readonly unknown[]): readonly unknown[] | undefined =>
  values.includes(undefined) ? undefined : values
