/** A program's values as a debugger shows them, in a word or with parts, and the machine they are read from. */

import { bigIntToBytes32, type Address, type Hash } from '../../../base/hex.ts'
import { once } from '../../../base/once.ts'
import type { StorageValue, StorageBytes } from '../../../insight/artifacts/storage-layout.ts'
import { valueText, textValue } from '../../../insight/explain/storage-variables.ts'

export interface MachineView {
  /** Bytes beyond are zero. */
  readonly memory: Uint8Array
  readonly calldata: Uint8Array
  /** The word in a slot of the account whose storage the frame uses. */
  readonly storage: (slot: bigint) => bigint
  readonly transient: (slot: bigint) => bigint
  /**
   * Possible keys of mappings, newest first: words, and texts or bytes that were hashed as keys. Only keys with a nonzero value are
   * listed, so wrong ones do no harm.
   */
  readonly keys: () => readonly Uint8Array[]
  readonly address: Address
  /** Name of an internal function by its entry in the code; undefined if there is none. */
  readonly functionAt?: (entry: number) => string | undefined
  /** Whether the frame creates a contract. Its internal function values contain its own entries in the upper 32 of 64 bits. */
  readonly isCreation?: boolean
}

export interface StoredPlace {
  readonly address: Address
  readonly slot: Hash
  /** Position of the lowest byte, counted from the lowest byte of the slot. */
  readonly offset: number
  readonly bytes: number
}

export interface Value {
  /** As in Solidity, with a reference's location: `struct Shop.Order memory`. */
  readonly type: string
  /** Shortened for structs and arrays. */
  readonly text: string
  /** Text of a struct or array in about this many characters. */
  readonly preview?: (room: number) => string
  /** For value types: the clean word, as on the stack. For an external function it is address and selector. */
  readonly word?: bigint
  /** The elementary type of the word. For user-defined value types it is the underlying type. */
  readonly encoding?: string
  /** For a literal number, which may exceed a word. */
  readonly constant?: bigint
  /** The content of a text or of bytes. */
  readonly content?: Uint8Array
  /** Members, the first items, or the known keys of a mapping. The names of items and keys have brackets: `[0]`. */
  readonly parts?: () => readonly Part[]
  /** Number of members, of all items or bytes, or of known keys. */
  readonly count?: number | undefined
  /** The item at an index or the value of a key; undefined if there is none, or for a key of the wrong type. */
  readonly at?: (key: Value) => Value | UnknownValue | undefined
  readonly stored?: StoredPlace | undefined
}

export type Part = readonly [name: string, value: Value | UnknownValue]

/** An unknown value, and the reason. */
export interface UnknownValue {
  readonly type?: string
  readonly unknown: string
}

export const isUnknown = (value: Value | UnknownValue): value is UnknownValue => 'unknown' in value

/** What determines the clean word of a value. */
type WordType = Pick<StorageValue, 'encoding' | 'bytes'>

/** Whether values are at the left of a word, as fixed-length bytes are. */
export const isLeftAligned = ({ encoding }: WordType): boolean => /^bytes\d/.test(encoding)

const isSigned = (encoding: string): boolean => encoding.startsWith('int')

/** Whether the type is an external function, which takes two stack words. */
export const isExternalFunction = ({ encoding, bytes }: WordType): boolean =>
  encoding.startsWith('function') && bytes === 24

/** The word without bits outside the value. */
export function cleanWord(type: WordType, word: bigint): bigint {
  const bits = 8 * type.bytes
  if (isLeftAligned(type)) {
    const unused = BigInt(256 - bits)
    return (word >> unused) << unused
  }
  if (isSigned(type.encoding)) return BigInt.asUintN(256, BigInt.asIntN(bits, word))
  if (type.encoding === 'bool') return BigInt.asUintN(8, word) === 0n ? 0n : 1n
  return BigInt.asUintN(bits, word)
}

/** The clean word of bytes at the right of a number, as in a slot. */
export const wordFromRight = (type: WordType, bytes: bigint): bigint =>
  cleanWord(type, isLeftAligned(type) ? BigInt.asUintN(256, bytes << BigInt(256 - 8 * type.bytes)) : bytes)

/** The word of a type from memory or encoded data, where external functions are aligned left. */
export const decodedWord = (type: WordType, word: bigint): bigint =>
  isExternalFunction(type) ? word >> 64n : word

export function numberOf({ constant, word, type, encoding = type }: Value): bigint | undefined {
  if (constant !== undefined || word === undefined) return constant
  return isSigned(encoding) ? BigInt.asIntN(256, word) : word
}

/** The clean word of a type for another value, if the type can hold it unchanged; else undefined. */
export function convertedWord(type: WordType, value: Value): bigint | undefined {
  const { content, constant, word: current, encoding = value.type } = value
  if (isLeftAligned(type)) {
    if (content !== undefined) return wordOfContent(type, content)
    // As in Solidity, a hex number stands for its bytes.
    if (constant !== undefined)
      return constant >> BigInt(8 * type.bytes) ? undefined : wordFromRight(type, constant)
    if (current === undefined || !/^bytes\d/.test(encoding)) return undefined
    return cleanWord(type, current) === current ? current : undefined
  }
  const number = numberOf(value)
  if (number === undefined || /^bytes\d/.test(encoding)) return undefined
  const word = cleanWord(type, BigInt.asUintN(256, number))
  return numberOf({ type: type.encoding, text: '', word }) === number ? word : undefined
}

function wordOfContent(type: WordType, content: Uint8Array): bigint | undefined {
  if (content.length > type.bytes) return undefined
  const word = Buffer.alloc(32)
  word.set(content)
  return BigInt(`0x${word.toString('hex')}`)
}

type FunctionNames = Pick<MachineView, 'functionAt' | 'isCreation'>

/** The value of a word, which may have bits outside the value. */
export function valueOfWord(
  type: StorageValue,
  word: bigint,
  machine: FunctionNames,
  stored?: StoredPlace,
): Value {
  const clean = cleanWord(type, word)
  const { label, encoding } = type
  const text = textOf(type, clean, machine)
  return { type: label, encoding, text, word: clean, stored }
}

function textOf(type: StorageValue, word: bigint, machine: FunctionNames): string {
  const { label, encoding, bytes, names } = type
  const name = names?.[Number(word)]
  if (name !== undefined)
    return `${label.slice(1 + Math.max(label.lastIndexOf(' '), label.lastIndexOf('.')))}.${name}`
  if (encoding.startsWith('function')) return functionText(type, word, machine)
  const all = bigIntToBytes32(word)
  const text = valueText(type, isLeftAligned(type) ? all.subarray(0, bytes) : all.subarray(32 - bytes))
  const [, contract] = /^contract (.*)$/.exec(encoding) ?? []
  return contract === undefined ? text : `${contract}(${text})`
}

function functionText(type: StorageValue, word: bigint, { functionAt, isCreation }: FunctionNames): string {
  if (isExternalFunction(type)) {
    const digits = word.toString(16).padStart(48, '0')
    return `0x${digits.slice(0, 40)}.0x${digits.slice(40)}`
  }
  const entry = Number(isCreation === true ? word >> 32n : BigInt.asUintN(32, word))
  return functionAt?.(entry) ?? `function at ${entry}`
}

/** Maximum number of listed items of an array or keys of a mapping. */
export const MAX_LISTED = 100

/** Maximum characters in the text of a struct or array. */
const MAX_PREVIEW = 100

/** Characters of one member or item in such a text, and of an address, because clients name it. */
const [MAX_BRIEF, ADDRESS] = [24, 42]

/** Maximum bytes shown of a text or bytes. */
const MAX_SHOWN_BYTES = 4096

/** A struct. Its members are read when they are first used. */
interface StructParts {
  readonly type: string
  readonly count: number
  readonly members: () => readonly Part[]
  readonly stored?: StoredPlace | undefined
}

export function structValue({ type, count, members, stored }: StructParts): Value {
  const form = { around: ['{ ', ' }'], hasNames: true } as const
  return listValue({ type, count, parts: once(members), stored }, form)
}

/** An array. Its items are read when they are first used. */
interface ArrayParts {
  readonly type: string
  readonly count: bigint
  readonly item: (index: bigint) => Value | UnknownValue
  readonly stored?: StoredPlace | undefined
}

export function arrayValue({ type, count, item, stored }: ArrayParts): Value {
  const length = count < MAX_LISTED ? Number(count) : MAX_LISTED
  const parts = once(() => Array.from({ length }, (_, index): Part => [`[${index}]`, item(BigInt(index))]))
  const value = {
    type,
    count: count <= Number.MAX_SAFE_INTEGER ? Number(count) : undefined,
    parts,
    at: ({ word }: Value) => (word !== undefined && word < count ? item(word) : undefined),
    stored,
  }
  return listValue(value, { around: ['[', ']'], hasMore: length < count })
}

function listValue(value: Omit<Value, 'text'> & Required<Pick<Value, 'parts'>>, form: ListForm): Value {
  const preview = (room: number): string => listText(value.parts(), form, room)
  return {
    ...value,
    preview,
    get text() {
      return preview(MAX_PREVIEW)
    },
  }
}

/** A text, or bytes of any length. */
export function bytesValue(
  type: StorageBytes,
  location: string,
  content: Uint8Array,
  stored?: StoredPlace,
): Value {
  const { length } = content
  const text = textValue(type, content.subarray(0, MAX_SHOWN_BYTES))
  const at = ({ word }: Value) => {
    const byte = word === undefined || word >= length ? undefined : content[Number(word)]
    return byte === undefined ? undefined : byteValue(byte)
  }
  return {
    type: `${type.label} ${location}`,
    text: length > MAX_SHOWN_BYTES ? `${text} (${length} bytes)` : text,
    content,
    count: length,
    at,
    stored,
  }
}

function byteValue(byte: number): Value {
  const text = `0x${byte.toString(16).padStart(2, '0')}`
  return { type: 'bytes1', encoding: 'bytes1', text, word: BigInt(byte) << 248n }
}

interface ListForm {
  readonly around: readonly [string, string]
  /** Whether the name of each part is shown before it. */
  readonly hasNames?: boolean
  readonly hasMore?: boolean
}

/** The text of parts in about this many characters. Dots stand for parts without room. */
function listText(parts: readonly Part[], form: ListForm, most: number): string {
  const [start, end] = form.around
  if (parts.length === 0) return start.trim() + end.trim()
  let text = ''
  for (const [name, value] of parts) {
    const prefix = (text === '' ? '' : ', ') + (form.hasNames === true ? `${name}: ` : '')
    const room = most - start.length - text.length - prefix.length - end.length
    if (room < MIN_BRIEF) return `${start}${text}${text === '' ? '' : ', '}...${end}`
    text += prefix + briefText(value, room)
  }
  return `${start}${text}${form.hasMore === true ? ', ...' : ''}${end}`
}

/** Characters of the shortest text of a member or item. */
const MIN_BRIEF = 5

function briefText(value: Value | UnknownValue, room: number): string {
  if (isUnknown(value)) return '?'
  if (value.preview !== undefined) return value.preview(room)
  const isAddress = value.encoding === 'address' && room >= ADDRESS
  const most = isAddress ? ADDRESS : Math.min(room, MAX_BRIEF)
  return value.text.length <= most ? value.text : `${value.text.slice(0, most - 3)}...`
}
