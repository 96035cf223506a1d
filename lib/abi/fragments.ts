/** Names and values of the functions, events and custom errors that an ABI declares. */

import * as z from 'zod'
import { fromHex, toHex, type Hash, type Hex } from '../base/hex.ts'
import { oncePer } from '../base/once.ts'
import { keccak256 } from '../crypto/keccak.ts'
import { SELECTOR_LENGTH, SELECTOR_CHARACTERS, selectorOf } from './selector.ts'
import { itemType } from './arguments.ts'
import { decodeValues, type AbiParameterType } from './values.ts'
import { bytesRegex, integerRegex } from 'ox/Solidity'

const abiInput = z.object({
  type: z.string(),
  name: z.string().optional(),
  indexed: z.boolean().optional(),
  internalType: z.string().optional(),
  get components() {
    return z.array(abiInput).optional()
  },
})

export type AbiInput = Readonly<z.infer<typeof abiInput>>

const fragment = z.object({
  type: z.string(),
  name: z.string().optional(),
  inputs: z.array(abiInput).optional(),
  outputs: z.array(abiInput).optional(),
  stateMutability: z.string().optional(),
  anonymous: z.boolean().optional(),
})

export type AbiFragment = Readonly<z.infer<typeof fragment>>

/** The valid items of an ABI; empty if the value is not a list. */
export function readAbi(abi: unknown): readonly AbiFragment[] {
  if (!Array.isArray(abi)) return []
  return abi.map((item: unknown) => fragment.safeParse(item).data).filter((item) => item !== undefined)
}

/** A decoded value: decimal digits, bytes as hex, addresses with a checksum (EIP-55), lists, and tuples as named members. */
export type DecodedValue = string | boolean | readonly (DecodedValue | NamedValue)[]

/** A value with its name, which is empty if the ABI has none. */
export interface NamedValue {
  readonly name: string
  readonly type: string
  readonly value: DecodedValue
}

const typeList = (types: readonly AbiParameterType[]): string =>
  `(${types.map(({ type, components }) => (components === undefined ? type : type.replace('tuple', typeList(components)))).join(',')})`

export const fragmentSignature = ({ name = '', inputs = [] }: AbiFragment): string => name + typeList(inputs)

/** Functions by their selectors and events by their first topics, as hex. */
const tableOf = oncePer(
  (abi: readonly AbiFragment[]): ReadonlyMap<string, AbiFragment> =>
    new Map(
      abi
        .filter(({ type, anonymous }) => type === 'function' || (type === 'event' && anonymous !== true))
        .map((fragment) => [fragmentKey(fragment), fragment]),
    ),
)

/** The selector of a function or an error, or the first topic of an event, as hex. */
export function fragmentKey(fragment: AbiFragment): string {
  const hash = keccak256(new TextEncoder().encode(fragmentSignature(fragment)))
  return toHex(fragment.type === 'event' ? hash : hash.subarray(0, SELECTOR_LENGTH))
}

/** Functions and events by name, or by the beginning of the selector or first topic, which has 0x; the text is in lower case. */
export const searchAbi = (abi: readonly AbiFragment[], text: string): readonly AbiFragment[] =>
  [...tableOf(abi)]
    .filter(([key, { name = '' }]) =>
      text.startsWith('0x') ? key.startsWith(text) : name.toLowerCase().includes(text),
    )
    .map(([, fragment]) => fragment)

/** The function that call data names; undefined if the ABI does not declare it. */
export function functionCalled(abi: readonly AbiFragment[], input: Uint8Array): AbiFragment | undefined {
  if (input.length < SELECTOR_LENGTH) return undefined
  return tableOf(abi).get(toHex(input.subarray(0, SELECTOR_LENGTH)))
}

/** The function that runs for this call data: the named one, `receive` or `fallback`. Undefined if none of them does. */
export const functionRun = (abi: readonly AbiFragment[], input: Uint8Array): AbiFragment | undefined =>
  functionCalled(abi, input) ??
  (input.length === 0 ? abi.find(({ type }) => type === 'receive') : undefined) ??
  abi.find(({ type }) => type === 'fallback')

/** The signature of a function; `receive` or `fallback` for one without a name. */
export const functionTitle = (fragment: AbiFragment): string =>
  fragment.type === 'function' ? fragmentSignature(fragment) : fragment.type

/** The event of a log. Undefined if the ABI has none with this first topic and this number of indexed values. */
export function eventOfLog(
  abi: readonly AbiFragment[],
  { topics }: { readonly topics: readonly Hash[] },
): AbiFragment | undefined {
  const event = topics[0] === undefined ? undefined : tableOf(abi).get(topics[0])
  const indexed = event?.inputs?.filter((input) => input.indexed === true) ?? []
  return indexed.length === topics.length - 1 ? event : undefined
}

/** Decodes values; undefined if the data does not encode them. */
export function namedValues(types: readonly AbiInput[], data: Uint8Array): readonly NamedValue[] | undefined {
  const values = decodeValues(types, data)
  return values && types.map((type, index) => namedValue(type, values[index]))
}

/** The values of an event in the order of its declaration. An indexed value of variable length is replaced by its hash. */
export function eventValues(
  { inputs = [] }: AbiFragment,
  { topics, data }: { readonly topics: readonly Hash[]; readonly data: Uint8Array },
): readonly NamedValue[] | undefined {
  const isIndexed = ({ indexed }: AbiInput): boolean => indexed === true
  const plain = namedValues(
    inputs.filter((input) => !isIndexed(input)),
    data,
  )
  const indexed = indexedValues(inputs.filter(isIndexed), topics.slice(1))
  if (plain === undefined || indexed === undefined) return undefined
  const [nextIndexed, nextPlain] = [indexed.values(), plain.values()]
  return inputs.flatMap((input) => (isIndexed(input) ? nextIndexed : nextPlain).next().value ?? [])
}

/** Decodes all topics together, because decoding one after the other takes twice as long. */
function indexedValues(
  inputs: readonly AbiInput[],
  topics: readonly Hex[],
): readonly NamedValue[] | undefined {
  const words = inputs.map((input) =>
    HASHED.test(input.type) ? { name: input.name, type: 'bytes32' } : input,
  )
  const values = namedValues(words, fromHex(`0x${topics.map((topic) => topic.slice(2)).join('')}`))
  return values?.map((value, index) => ({ ...value, type: inputs[index]?.type ?? value.type }))
}

/** Types of variable length: a topic contains only the hash of such a value. */
const HASHED = /^(string|bytes|tuple)$|\]$/

function namedValue(input: AbiInput, value: unknown): NamedValue {
  const { name = '', type, components } = input
  return { name, type: type.replace('tuple', typeList(components ?? [])), value: decoded(input, value) }
}

function decoded(input: AbiInput, value: unknown): DecodedValue {
  if (typeof value === 'boolean') return value
  if (!Array.isArray(value)) return String(value)
  const item = itemType(input.type)
  if (item !== undefined) return value.map((each: unknown) => decoded({ ...input, type: item }, each))
  const { components = [] } = input
  return components.map((component, index) => namedValue(component, value[index]))
}

export interface ErrorAbi {
  readonly name: string
  readonly selector: string
  readonly types: readonly AbiInput[]
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

function isKnown({ type, components }: AbiParameterType): boolean {
  const item = itemType(type)
  if (item !== undefined) return isKnown({ type: item, components })
  if (type === 'tuple') return components?.every(isKnown) === true
  return SIMPLE_TYPES.has(type) || bytesRegex.test(type) || integerRegex.test(type)
}

/** Maximum number of characters of data that is formatted, because the text becomes one line of a log or an error. */
const MAX_SHOWN = 1_280_000

/**
 * The error with its arguments, such as `Refused(5, "text")`; with addresses and bytes in quotation marks and tuples in square brackets,
 * as Hardhat has them, if `isQuoted`. Undefined if the data does not encode them.
 */
export function errorText({ name, types }: ErrorAbi, data: string, isQuoted = false): string | undefined {
  if (data.length > MAX_SHOWN) return undefined
  const values = decodeValues(types, fromHex(`0x${data.slice(SELECTOR_CHARACTERS)}`))
  return values && `${name}(${textsOf(types, values, isQuoted)})`
}

const textsOf = (types: readonly AbiParameterType[], values: readonly unknown[], isQuoted: boolean): string =>
  types.map((type, index) => textOf(type, values[index], isQuoted)).join(', ')

/** A value as text, with strings in quotation marks. */
function textOf({ type, components }: AbiParameterType, value: unknown, isQuoted: boolean): string {
  if (Array.isArray(value)) {
    const item = itemType(type)
    const texts = textsOf(
      item === undefined ? (components ?? []) : value.map(() => ({ type: item, components })),
      value,
      isQuoted,
    )
    return item === undefined && !isQuoted ? `(${texts})` : `[${texts}]`
  }
  const isText = type === 'string' || (isQuoted && /^(address|bytes\d*|function)$/.test(type))
  return isText ? `"${String(value)}"` : String(value)
}
