/**
 * Finds the variables of slots. The slot of a mapping's value is a hash of the key, so keys are guessed among the words that the
 * execution has seen. The slots of all of them are computed once for all slots that changed.
 */

import type { StorageLayout, StorageType } from '../artifacts/compilation.ts'
import { bigIntToBytes32, bytesToBigInt } from '../base/hex.ts'
import { keccak256 } from '../crypto/keccak.ts'
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

/** Finds the variables of one layout with one set of possible keys. */
export class VariableFinder {
  readonly #types: Readonly<Record<string, StorageType>>
  readonly #keys: readonly bigint[]
  readonly #bySlot = new Map<bigint, PlacedType[]>()
  /** Ordered by their first slots, without overlaps. */
  readonly #ranges: readonly SlotRange[]
  #valuesLeft = 0

  constructor(layout: StorageLayout, keys: readonly bigint[]) {
    this.#types = layout.types ?? {}
    this.#keys = keys
    const ranges: SlotRange[] = []
    for (const { label, slot, offset, type } of layout.storage) {
      this.#valuesLeft = MAX_VALUES
      this.#add({ type, slot: BigInt(slot), offset, path: label }, 0, ranges)
    }
    this.#ranges = ranges.sort((a, b) => (a.first < b.first ? -1 : 1))
  }

  /** The variables in a slot; empty if it is not known to belong to one. */
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
    }
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
    const isNested = depth > 0 || this.#types[value]?.encoding === 'mapping'
    const length = Number(key.numberOfBytes)
    // Bytes of fixed length lie at the left of a word, all other types at the right.
    const isLeft = key.label.startsWith('bytes')
    const hashed = Buffer.concat([bigIntToBytes32(0n), bigIntToBytes32(slot)])
    for (const word of isNested ? this.#keys.slice(0, NESTED_KEYS) : this.#keys) {
      if (!isLeft && word >> BigInt(8 * length) !== 0n) continue
      if (this.#valuesLeft-- <= 0) return
      const bytes = bigIntToBytes32(word)
      hashed.set(bytes)
      const at = bytesToBigInt(keccak256(hashed))
      const shown = valueText(key, isLeft ? bytes.subarray(0, length) : bytes.subarray(-length))
      this.#add({ type: value, slot: at, offset: 0, path: `${path}[${shown}]` }, depth + 1, ranges)
    }
  }
}
