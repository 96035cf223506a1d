/**
 * Finds the variables of slots. The slot of a mapping's value is a hash of the key, so keys are guessed among the words that the
 * execution has seen. The slots of all of them are computed once for all slots that changed, and compared with these.
 */

import type { StorageLayout, StorageType, StorageVariable } from '../artifacts/compilation.ts'
import { bigIntToBytes32, bytesToBigInt } from '../../base/hex.ts'
import { keccak256InPlace } from '../../crypto/keccak.ts'
import { MAX_ITEMS, hashOf, slotsOf, valueText, variablesAt } from './storage-variable.ts'
import type { PlacedType, SlotVariable } from './storage-variable.ts'

/** Mappings within mappings are searched to this depth. */
const MAX_DEPTH = 3

/** Number of keys that are tried in mappings that contain mappings, and in those. */
const NESTED_KEYS = 48

/** Maximum number of values of mappings that are tried for a variable. */
const MAX_VALUES = 4096

/** A variable that occupies more slots than its first one. */
interface SlotRange {
  readonly first: bigint
  readonly end: bigint
  readonly place: PlacedType
}

/** What variables are looked for, and by what. */
export interface WantedVariables {
  readonly slots: readonly bigint[]
  /** Words that may be keys of mappings, of 32 bytes each. */
  readonly keys: () => readonly Uint8Array[]
}

/** Finds the variables of one layout in some slots. */
export class VariableFinder {
  readonly #types: Readonly<Record<string, StorageType>>
  readonly #keys: () => readonly Uint8Array[]
  /** First bytes of the slots of which no variable is known yet. */
  readonly #missing: Set<number>
  readonly #bySlot = new Map<bigint, PlacedType[]>()
  /** Ordered by their first slots, without overlaps. */
  readonly #ranges: readonly SlotRange[]
  #valuesLeft = 0

  constructor(layout: StorageLayout, { slots, keys }: WantedVariables) {
    this.#types = layout.types ?? {}
    this.#keys = keys
    this.#missing = new Set(slots.map((slot) => firstBytes(bigIntToBytes32(slot))))
    const ranges: SlotRange[] = []
    // Mappings last: no key is tried for the slots of other variables.
    const isMapping = ({ type }: StorageVariable) => Number(this.#types[type]?.encoding === 'mapping')
    for (const { label, slot, offset, type } of layout.storage.toSorted(
      (a, b) => isMapping(a) - isMapping(b),
    )) {
      this.#valuesLeft = MAX_VALUES
      this.#add({ type, slot: BigInt(slot), offset, path: label }, 0, ranges)
    }
    this.#ranges = ranges.sort((a, b) => (a.first < b.first ? -1 : 1))
  }

  /** The variables in one of the slots; empty if it is not known to belong to one. */
  at(slot: bigint): readonly SlotVariable[] {
    const range = this.#ranges[this.#indexBefore(slot)]
    const within = range !== undefined && slot < range.end ? [range.place] : []
    const places = [...(this.#bySlot.get(slot) ?? []), ...within]
    return places.flatMap((place) => variablesAt(this.#types, place, slot))
  }

  /** Index of the last range that begins at a slot or before it. */
  #indexBefore(slot: bigint): number {
    let [low, high] = [0, this.#ranges.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#ranges[middle]?.first ?? 0n) <= slot) low = middle + 1
      else high = middle
    }
    return low - 1
  }

  #add(place: PlacedType, depth: number, ranges: SlotRange[]): void {
    const type = this.#types[place.type]
    if (type === undefined) return
    const { slot, path } = place
    if (type.encoding === 'mapping') return this.#addMapping(type, place, depth, ranges)
    if (type.members !== undefined) {
      for (const { label, slot: relative, offset, type: member } of type.members)
        this.#add(
          { type: member, slot: slot + BigInt(relative), offset, path: `${path}.${label}` },
          depth,
          ranges,
        )
      return
    }
    if (type.encoding !== 'inplace') {
      const first = hashOf(slot)
      ranges.push({ first, end: first + MAX_ITEMS, place })
      this.#missing.delete(firstBytes(bigIntToBytes32(first)))
    }
    this.#missing.delete(firstBytes(bigIntToBytes32(slot)))
    if (type.encoding === 'inplace' && type.base !== undefined)
      ranges.push({ first: slot, end: slot + slotsOf(type), place })
    else this.#bySlot.set(slot, [...(this.#bySlot.get(slot) ?? []), place])
  }

  #addMapping(
    { key: keyType, value }: StorageType,
    { slot, path }: PlacedType,
    depth: number,
    ranges: SlotRange[],
  ): void {
    const key = this.#types[keyType ?? '']
    if (value === undefined || key?.encoding !== 'inplace' || depth === MAX_DEPTH) return
    if (this.#missing.size === 0) return
    const isNested = depth > 0 || this.#types[value]?.encoding === 'mapping'
    const isInPlace = this.#isInPlace(value)
    const length = Number(key.numberOfBytes)
    // Bytes of fixed length lie at the left of a word, all other types at the right.
    const isLeft = key.label.startsWith('bytes')
    const hashed = new Uint8Array(64)
    hashed.set(bigIntToBytes32(slot), 32)
    for (const word of isNested ? this.#keys().slice(0, NESTED_KEYS) : this.#keys()) {
      if (!isLeft && !isShort(word, length)) continue
      if (this.#missing.size === 0 || this.#valuesLeft-- <= 0) return
      hashed.set(word)
      const hash = keccak256InPlace(hashed)
      // A value in place lies in the slots from the hash on, which begin with the same bytes. Most keys end here.
      if (isInPlace && !this.#missing.has(firstBytes(hash))) continue
      const at = bytesToBigInt(hash)
      const shown = valueText(key, isLeft ? word.subarray(0, length) : word.subarray(-length))
      this.#add({ type: value, slot: at, offset: 0, path: `${path}[${shown}]` }, depth + 1, ranges)
    }
  }

  /** Whether all of a value lies in the slots from its first one on. */
  #isInPlace(name: string): boolean {
    const type = this.#types[name]
    if (type?.encoding !== 'inplace') return false
    return [type.base ?? [], ...(type.members ?? []).map((member) => member.type)]
      .flat()
      .every((part) => this.#isInPlace(part))
  }
}

/** The first six bytes of a word as a number. Two hashes that have them in common are almost always the same. */
function firstBytes(word: Uint8Array): number {
  let number = 0
  for (let index = 0; index < 6; index++) number = number * 256 + (word[index] ?? 0)
  return number
}

/** Whether a word is a number of some bytes. */
function isShort(word: Uint8Array, length: number): boolean {
  for (let index = 0; index < 32 - length; index++) if (word[index] !== 0) return false
  return true
}
