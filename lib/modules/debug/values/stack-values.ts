/** Values of variables on the stack. The stack contains value types directly, and pointers to memory and call data for all others. */

import { bytesToBigInt } from '../../../base/hex.ts'
import type { StorageType, StorageArray, StorageBytes } from '../../../insight/artifacts/storage-layout.ts'
import type { DataLocation } from '../debug-function.ts'
import { valueInStorage } from './storage-values.ts'
import {
  isExternalFunction,
  valueOfWord,
  arrayValue,
  bytesValue,
  structValue,
  cleanWord,
  decodedWord,
  type UnknownValue,
  type Value,
  type MachineView,
  type Part,
} from './value.ts'

/** Number of words that a variable has on the stack. */
export function slotsOf(type: StorageType, location: DataLocation): number {
  if (type.kind === 'value') return isExternalFunction(type) ? 2 : 1
  const isCounted = type.kind === 'bytes' || (type.kind === 'array' && type.count === undefined)
  return location === 'calldata' && isCounted ? 2 : 1
}

/** The value of a variable from its words, the deepest one first. */
export function valueOnStack(
  type: StorageType,
  location: DataLocation,
  words: readonly bigint[],
  machine: MachineView,
): Value | UnknownValue {
  const [first, second] = words
  if (first === undefined || words.length < slotsOf(type, location))
    return { type: type.label, unknown: 'the stack does not have it' }
  if (type.kind === 'value')
    return valueOfWord(
      type,
      second === undefined || !isExternalFunction(type) ? first : (first << 32n) | BigInt.asUintN(32, second),
      machine,
    )
  // Mappings are always in storage, even if the declaration does not say so.
  if (location === 'storage' || type.kind === 'mapping') return valueInStorage(type, first, 0, machine)
  if (location === 'calldata') return valueInCalldata(type, words, machine)
  if (location === 'memory') return valueInMemory(type, first, machine)
  return { type: type.label, unknown: 'its location is not known' }
}

/** A parameter, a returned value, an argument of an event, or a member. */
interface NamedType {
  readonly label: string
  /** Undefined if it is unknown; later values are then unknown too. */
  readonly type: StorageType | undefined
}

/** The value at a memory pointer. */
const valueInMemory = (type: StorageType, pointer: bigint, machine: MachineView): Value | UnknownValue =>
  new ByteReader(MEMORY, machine.memory, machine).valueAt(type, pointer)

/** The value of a call data reference: an offset, and for arrays and bytes a length. */
function valueInCalldata(
  type: StorageType,
  words: readonly bigint[],
  machine: MachineView,
): Value | UnknownValue {
  const reader = new ByteReader(ENCODED, machine.calldata, machine)
  const [offset = 0n, length = 0n] = words
  if (type.kind === 'bytes') return reader.bytesAt(type, offset, length)
  if (type.kind === 'array' && type.count === undefined) return reader.itemsAt(type, offset, length)
  return reader.valueAt(type, offset)
}

/** The values encoded in data from a position, such as 4 for function calls. */
export const encodedValues = (
  types: readonly NamedType[],
  data: Uint8Array,
  start: number,
  machine: MachineView,
): readonly Part[] => new ByteReader(ENCODED, data, machine).sequenceAt(types, start)

/** Reads values and checks bounds. */
class ByteReader {
  readonly #layout: ByteLayout
  readonly #bytes: Uint8Array
  readonly #machine: MachineView

  constructor(layout: ByteLayout, bytes: Uint8Array, machine: MachineView) {
    this.#layout = layout
    this.#bytes = bytes
    this.#machine = machine
  }

  /** The value that begins at an offset. */
  valueAt(type: StorageType, offset: bigint): Value | UnknownValue {
    // In memory, an empty array may lie at the end, where bytes are zero.
    const least = this.#layout === MEMORY ? 0n : 32n
    if (offset + least > this.#bytes.length) return this.#beyond(type, `offset ${offset}`)
    const start = Number(offset)
    switch (type.kind) {
      case 'value':
        return this.#wordAt(type, start)
      case 'bytes':
        return this.bytesAt(type, offset + 32n, this.#read(start))
      case 'array':
        return type.count === undefined
          ? this.itemsAt(type, offset + 32n, this.#read(start))
          : this.itemsAt(type, offset, type.count)
      case 'struct': {
        // Before 0.7 structs with mappings could be in memory, without the mappings.
        const kept = type.members.filter((member) => member.type.kind !== 'mapping')
        return structValue({
          type: this.#labelOf(type),
          count: kept.length,
          members: () => this.sequenceAt(kept, start),
        })
      }
      case 'mapping':
        return { type: type.label, unknown: 'mappings are only in the storage' }
    }
  }

  /** Values one after the other. */
  sequenceAt(types: readonly NamedType[], start: number): readonly Part[] {
    let position: number | undefined = start
    return types.map(({ label, type }): Part => {
      const at = position
      position = type === undefined || at === undefined ? undefined : at + this.#layout.headSize(type)
      if (type === undefined || at === undefined) return [label, { unknown: 'its type is not known' }]
      return [label, this.#valueOfHead(type, at, start)]
    })
  }

  itemsAt(type: StorageArray, offset: bigint, count: bigint): Value | UnknownValue {
    const [label, base] = [this.#labelOf(type), type.base()]
    if (base === undefined) return { type: label, unknown: 'the type of its items is not known' }
    const size = this.#layout.headSize(base)
    if (!this.#has(offset, count * BigInt(size))) return this.#beyond(type, `length ${count}`)
    const start = Number(offset)
    const item = (index: bigint) => this.#valueOfHead(base, start + Number(index) * size, start)
    return arrayValue({ type: label, count, item })
  }

  bytesAt(type: StorageBytes, offset: bigint, length: bigint): Value | UnknownValue {
    if (!this.#has(offset, length)) return this.#beyond(type, `length ${length}`)
    const start = Number(offset)
    return bytesValue(type, this.#layout.location, this.#bytes.subarray(start, start + Number(length)))
  }

  /** A value or the one it points to, in a sequence that begins at a position. */
  #valueOfHead(type: StorageType, position: number, start: number): Value | UnknownValue {
    const size = this.#layout.headSize(type)
    if (!this.#has(BigInt(position), BigInt(size))) return this.#beyond(type, `position ${position}`)
    if (!this.#layout.isPointed(type)) return this.valueAt(type, BigInt(position))
    return this.valueAt(type, this.#layout.target(this.#read(position), start))
  }

  #wordAt(type: Extract<StorageType, { kind: 'value' }>, position: number): Value | UnknownValue {
    const word = decodedWord(type, this.#read(position))
    // Programs clean words in memory, and refuse unclean call data.
    if (this.#layout === ENCODED && cleanWord(type, word) !== word)
      return { type: type.label, unknown: `its word ${word} is no ${type.encoding}` }
    return valueOfWord(type, word, this.#machine)
  }

  /** A word. Bytes beyond the end are zero. */
  #read(position: number): bigint {
    const word = this.#bytes.subarray(position, position + 32)
    return bytesToBigInt(word) << BigInt(8 * (32 - word.length))
  }

  #has(offset: bigint, length: bigint): boolean {
    return length === 0n || offset + length <= this.#bytes.length
  }

  #beyond(type: StorageType, what: string): UnknownValue {
    const place = this.#layout === MEMORY ? 'memory' : 'data'
    return {
      type: this.#labelOf(type),
      unknown: `its ${what} is beyond the ${this.#bytes.length} bytes of ${place}`,
    }
  }

  #labelOf({ kind, label }: StorageType): string {
    return kind === 'value' || kind === 'mapping' ? label : `${label} ${this.#layout.location}`
  }
}

/** Places of values in bytes. */
interface ByteLayout {
  readonly location: 'memory' | 'calldata'
  /** Size of a value, or of the word that points to it, among members, items or parameters. */
  readonly headSize: (type: StorageType) => number
  /** Whether such a word points to a value. */
  readonly isPointed: (type: StorageType) => boolean
  /** The target of such a word, in a sequence that begins at a position. */
  readonly target: (word: bigint, start: number) => bigint
}

/** Every value has one word, which is a pointer for references (Solidity documentation, "Layout in Memory"). */
const MEMORY: ByteLayout = {
  location: 'memory',
  headSize: () => 32,
  isPointed: ({ kind }) => kind !== 'value',
  target: (word) => word,
}

/** Values of variable length come after the sequence, which contains their offsets (Contract ABI Specification). */
const ENCODED: ByteLayout = {
  location: 'calldata',
  headSize: encodedSize,
  isPointed: isDynamic,
  target: (word, start) => BigInt(start) + word,
}

function isDynamic(type: StorageType): boolean {
  if (type.kind === 'struct') return type.members.some((member) => isDynamic(member.type))
  if (type.kind !== 'array') return type.kind === 'bytes'
  const base = type.count === undefined ? undefined : type.base()
  return base === undefined || isDynamic(base)
}

function encodedSize(type: StorageType): number {
  if (isDynamic(type)) return 32
  if (type.kind === 'struct') return type.members.reduce((size, member) => size + encodedSize(member.type), 0)
  const base = type.kind === 'array' ? type.base() : undefined
  return base === undefined || type.kind !== 'array' ? 32 : Number(type.count) * encodedSize(base)
}
