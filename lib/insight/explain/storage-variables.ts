/**
 * Walks the state variables of a contract, writes their values as text (Solidity documentation, "Layout of State Variables in
 * Storage"), and finds the variables of slots.
 */

import { bisect } from '../../base/bisect.ts'
import { bigIntToBytes32, bytesToBigInt } from '../../base/hex.ts'
import { keccak256, keccak256InPlace } from '../../crypto/keccak.ts'
import {
  itemsPerSlot,
  type StorageBytes,
  type StorageLayout,
  type StorageType,
  type StorageValue,
  type StorageVariable,
  type StorageArray,
  type StorageMapping,
} from '../artifacts/storage-layout.ts'

/** A state variable, or a part of one, in the storage. */
export interface StoragePlace {
  readonly slot: bigint
  /** Position of the lowest byte, counted from the slot's lowest byte. */
  readonly offset: number
  /** Such as `owner`, `queue[3].amount` or `balances[0x...]`. */
  readonly path: string
}

/** The items of a list or array. Large items occupy whole slots, small ones share a slot. */
export interface StorageItems {
  readonly first: bigint
  readonly count: bigint
  readonly slotsPerItem: bigint
  readonly itemsPerSlot: bigint
}

/** Mappings within mappings are walked to this depth. */
const MAX_DEPTH = 3

/** Visits the variables of layouts. Subclasses choose items and keys. */
export abstract class StorageWalk {
  protected depth = 0
  /** Number of values of mappings that may still be visited. */
  protected valuesLeft = 0
  /** Whether all keys were visited. */
  isWhole = true

  protected walk(layout: StorageLayout): void {
    for (const { label, slot, offset, type } of layout) this.visit(type, { slot, offset, path: label })
  }

  protected abstract put(type: StorageValue | StorageBytes, place: StoragePlace): void

  /** Receives a text or bytes. */
  protected abstract visitBytes(type: StorageBytes, place: StoragePlace): void

  /** Number of items of the list whose length is in a slot. */
  protected abstract countAt(slot: bigint): bigint

  protected abstract indexesOf(items: StorageItems): Iterable<bigint>

  /** Words of 32 bytes, and texts or bytes, to try as keys of a mapping with values of a type. */
  protected abstract keysFor(value: StorageType): Iterable<Uint8Array>

  /** Whether to visit a value in the slots that begin at a hash. */
  protected abstract wants(hash: Uint8Array): boolean

  protected visit(type: StorageType, place: StoragePlace): void {
    const { slot, path } = place
    switch (type.kind) {
      case 'value':
        return this.put(type, place)
      case 'bytes':
        return this.visitBytes(type, place)
      case 'mapping':
        return this.visitMapping(type, place)
      case 'array':
        if (type.count !== undefined) return this.#visitItems(type, place, type.count)
        this.put(COUNT, { ...place, path: `${path}.length` })
        return this.#visitItems(type, { ...place, slot: hashOf(slot) }, this.countAt(slot))
      case 'struct':
        for (const { label, slot: relative, offset, type: member } of type.members)
          this.visit(member, { slot: slot + relative, offset, path: `${path}.${label}` })
    }
  }

  #visitItems(array: StorageArray, { slot: first, path }: StoragePlace, count: bigint): void {
    const base = array.base()
    if (base === undefined) return
    const [slotsPerItem, shared] = [base.slots, itemsPerSlot(base)]
    for (const index of this.indexesOf({ first, count, slotsPerItem, itemsPerSlot: shared })) {
      const slot = first + (index / shared) * slotsPerItem
      const offset = Number(index % shared) * base.bytes
      this.visit(base, { slot, offset, path: `${path}[${index}]` })
    }
  }

  protected visitMapping(type: StorageMapping, { slot, path }: StoragePlace): void {
    const [key, value] = [type.key(), type.value()]
    if (value === undefined || this.depth === MAX_DEPTH) return
    if (key?.kind !== 'value' && key?.kind !== 'bytes') return
    const isInPlace = liesInPlace(value)
    const place = bigIntToBytes32(slot)
    this.depth++
    for (const tried of this.keysFor(value)) {
      const bytes = bytesOfKey(key, tried)
      if (bytes === undefined) continue
      if (this.valuesLeft-- <= 0) {
        this.isWhole = false
        break
      }
      const hash = keccak256InPlace(Buffer.concat([tried, place]))
      if (isInPlace && !this.wants(hash)) continue
      const at = bytesToBigInt(hash)
      const shown = key.kind === 'bytes' ? textValue(key, bytes) : valueText(key, bytes)
      this.visit(value, { slot: at, offset: 0, path: `${path}[${shown}]` })
    }
    this.depth--
  }
}

const COUNT: StorageValue = { kind: 'value', label: 'uint256', encoding: 'uint256', bytes: 32, slots: 1n }

/** Whether the whole value lies in consecutive slots from its first one. */
function liesInPlace(type: StorageType): boolean {
  if (type.kind === 'struct') return type.members.every((member) => liesInPlace(member.type))
  const items = type.kind === 'array' && type.count !== undefined ? type.base() : undefined
  return items === undefined ? type.kind === 'value' : liesInPlace(items)
}

/** The bytes of a word that form the key; undefined if the word does not fit the type. A text of 32 bytes looks like a word. */
function bytesOfKey(type: StorageValue | StorageBytes, word: Uint8Array): Uint8Array | undefined {
  if ((type.kind === 'bytes') === (word.length === 32)) return undefined
  if (type.kind === 'bytes') return word
  const { encoding, bytes } = type
  // Fixed-length bytes are at the left of a word, all other types at the right.
  if (encoding.startsWith('bytes')) return word.subarray(0, bytes)
  const start = 32 - bytes
  const fill = encoding.startsWith('int') && (word[start] ?? 0) >= 0x80 ? 0xff : 0
  for (let index = 0; index < start; index++) if (word[index] !== fill) return undefined
  return word.subarray(start)
}

/** First slot of the content of a list or text whose length is in a slot. */
export const hashOf = (slot: bigint): bigint => bytesToBigInt(keccak256(bigIntToBytes32(slot)))

/** The bytes of a value in its slot. */
export const bytesIn = (word: Uint8Array, { bytes }: StorageType, offset: number): Uint8Array =>
  word.subarray(32 - offset - bytes, 32 - offset)

/** A value as text: numbers in decimal, enum values by name, short texts and bytes as they are, everything else as hex. */
export function valueText(type: StorageValue | StorageBytes, bytes: Uint8Array): string {
  if (type.kind === 'bytes') return textOf(type, bytes)
  const { encoding, names } = type
  const number = bytesToBigInt(bytes)
  if (encoding === 'bool') return number === 0n ? 'false' : 'true'
  if (names !== undefined) return names[Number(number)] ?? number.toString()
  if (encoding.startsWith('uint')) return number.toString()
  if (encoding.startsWith('int')) return BigInt.asIntN(8 * bytes.length, number).toString()
  const text = encoding === 'string' ? wholeText(bytes) : undefined
  return text ?? `0x${Buffer.from(bytes).toString('hex')}`
}

/** A piece of a text in quotes; undefined if it begins or ends inside a character. */
function wholeText(bytes: Uint8Array): string | undefined {
  const text = Buffer.from(bytes).toString('utf8')
  return text.includes('\uFFFD') ? undefined : JSON.stringify(text.replace(/\0+$/, ''))
}

/** A text or bytes in a slot. The slot contains up to 31 bytes, or the length of longer content. */
function textOf(type: StorageBytes, word: Uint8Array): string {
  const last = word.at(-1) ?? 0
  if (last % 2 === 1) return `(${(bytesToBigInt(word) - 1n) / 2n} bytes)`
  return textValue(type, word.subarray(0, last / 2))
}

/** A `string` in quotes, other bytes as hex. */
export function textValue({ label }: StorageBytes, bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes)
  return label === 'string' ? JSON.stringify(buffer.toString('utf8')) : `0x${buffer.toString('hex')}`
}

/** Number of keys tried in mappings that contain mappings, and in the inner ones. */
const NESTED_KEYS = 48

const MAX_VALUES = 4096

/** The items of a list or text are searched in this many slots after the first one. */
const MAX_ITEMS = 2n ** 64n

/** Types of words of bytes, and of a text. */
const WORD: StorageValue = { kind: 'value', label: 'bytes32', encoding: 'bytes32', bytes: 32, slots: 1n }
const TEXT: StorageValue = { ...WORD, encoding: 'string' }

interface FoundVariable {
  readonly path: string
  readonly type: StorageValue | StorageBytes
  readonly offset: number
}

/** The slots whose variables are searched, and words that may be keys of mappings. */
interface SlotSearch {
  readonly slots: readonly bigint[]
  readonly keys: () => readonly Uint8Array[]
}

/**
 * Finds the variables of slots. The slot of a mapping's value is a hash of the key, so keys are guessed from words that the
 * execution has used. One walk over the layout serves all changed slots.
 */
export class VariableFinder extends StorageWalk {
  readonly #keys: SlotSearch['keys']
  /** In ascending order. */
  readonly #slots: readonly bigint[]
  readonly #bySlot: ReadonlyMap<bigint, FoundVariable[]>
  /** First bytes of the slots without a known variable. */
  readonly #missing: Set<number>

  constructor(layout: StorageLayout, { slots, keys }: SlotSearch) {
    super()
    this.#keys = keys
    this.#slots = slots.toSorted((a, b) => (a < b ? -1 : 1))
    this.#bySlot = new Map(slots.map((slot) => [slot, []]))
    this.#missing = new Set(slots.map((slot) => firstBytes(bigIntToBytes32(slot))))
    // Mappings come last, so that no key is tried for slots of other variables.
    const isMapping = ({ type }: StorageVariable) => Number(type.kind === 'mapping')
    for (const variable of layout.toSorted((a, b) => isMapping(a) - isMapping(b))) {
      this.valuesLeft = MAX_VALUES
      this.walk([variable])
    }
  }

  /** The variables in one of the slots; empty if none is known. */
  at(slot: bigint): readonly FoundVariable[] {
    return this.#bySlot.get(slot) ?? []
  }

  protected put(type: FoundVariable['type'], { slot, offset, path }: StoragePlace): void {
    const found = this.#bySlot.get(slot)
    if (found === undefined) return
    found.push({ path, type, offset })
    this.#missing.delete(firstBytes(bigIntToBytes32(slot)))
  }

  protected visitBytes(type: StorageBytes, place: StoragePlace): void {
    this.put(type, place)
    const first = hashOf(place.slot)
    const piece = type.label === 'string' ? TEXT : WORD
    for (const slot of this.#slotsIn(first, first + MAX_ITEMS)) {
      const from = (slot - first) * 32n
      this.put(piece, { ...place, slot, path: `${place.path} (bytes ${from} to ${from + 31n})` })
    }
  }

  protected countAt(): bigint {
    return MAX_ITEMS
  }

  protected *indexesOf({ first, count, slotsPerItem, itemsPerSlot }: StorageItems): Generator<bigint> {
    const rows = (count + itemsPerSlot - 1n) / itemsPerSlot
    let index = 0n
    for (const slot of this.#slotsIn(first, first + rows * slotsPerItem)) {
      const row = (slot - first) / slotsPerItem
      // An item that occupies several slots is found once.
      if (index < row * itemsPerSlot) index = row * itemsPerSlot
      while (index < count && index < (row + 1n) * itemsPerSlot) yield index++
    }
  }

  #slotsIn(first: bigint, end: bigint): readonly bigint[] {
    const slots = this.#slots
    const countBelow = (limit: bigint) => bisect(slots.length, (at) => (slots[at] ?? limit) < limit)
    return slots.slice(countBelow(first), countBelow(end))
  }

  protected *keysFor(value: StorageType): Generator<Uint8Array> {
    const isNested = this.depth > 1 || value.kind === 'mapping'
    for (const key of isNested ? this.#keys().slice(0, NESTED_KEYS) : this.#keys()) {
      if (this.#missing.size === 0) return
      yield key
    }
  }

  /** False for most keys. */
  protected wants(hash: Uint8Array): boolean {
    return this.#missing.has(firstBytes(hash))
  }
}

/** The first six bytes of a word as a number. Two hashes with equal first bytes are almost certainly the same. */
function firstBytes(word: Uint8Array): number {
  let number = 0
  for (let index = 0; index < 6; index++) number = number * 256 + (word[index] ?? 0)
  return number
}
