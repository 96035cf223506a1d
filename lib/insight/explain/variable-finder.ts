/**
 * Finds the variables of slots. The slot of a mapping's value is a hash of the key, so keys are guessed among the words that the
 * execution has seen. One walk over the layout serves all slots that changed.
 */

import type { StorageBytes, StorageLayout, StorageType, StorageValue } from '../artifacts/storage-layout.ts'
import type { StorageVariable } from '../artifacts/storage-layout.ts'
import { bisect } from '../../base/bisect.ts'
import { bigIntToBytes32 } from '../../base/hex.ts'
import { StorageWalk, hashOf, type StorageItems, type StoragePlace } from './storage-walk.ts'

/** Number of keys that are tried in mappings that contain mappings, and in those. */
const NESTED_KEYS = 48

/** Maximum number of values of mappings that are tried for a variable. */
const MAX_VALUES = 4096

/** Slots after the first one of a list or a text in which its items are looked for. */
const MAX_ITEMS = 2n ** 64n

/** Types of the words of bytes, and of a text. */
const WORD: StorageValue = { kind: 'value', label: 'bytes32', encoding: 'bytes32', bytes: 32, slots: 1n }
const TEXT: StorageValue = { ...WORD, encoding: 'string' }

/** A part of a state variable that lies in a slot. */
export interface FoundVariable {
  readonly path: string
  readonly type: StorageValue | StorageBytes
  readonly offset: number
}

/** The slots whose variables are searched, and words of 32 bytes that may be keys of mappings. */
export interface SlotSearch {
  readonly slots: readonly bigint[]
  readonly keys: () => readonly Uint8Array[]
}

/** Finds the variables of one layout in some slots. */
export class VariableFinder extends StorageWalk {
  readonly #keys: SlotSearch['keys']
  /** In ascending order. */
  readonly #slots: readonly bigint[]
  readonly #bySlot: ReadonlyMap<bigint, FoundVariable[]>
  /** First bytes of the slots of which no variable is known yet. */
  readonly #missing: Set<number>

  constructor(layout: StorageLayout, { slots, keys }: SlotSearch) {
    super()
    this.#keys = keys
    this.#slots = slots.toSorted((a, b) => (a < b ? -1 : 1))
    this.#bySlot = new Map(slots.map((slot) => [slot, []]))
    this.#missing = new Set(slots.map((slot) => firstBytes(bigIntToBytes32(slot))))
    // Mappings last: no key is tried for the slots of other variables.
    const isMapping = ({ type }: StorageVariable) => Number(type.kind === 'mapping')
    for (const variable of layout.toSorted((a, b) => isMapping(a) - isMapping(b))) {
      this.valuesLeft = MAX_VALUES
      this.walk([variable])
    }
  }

  /** The variables in one of the slots; empty if it is not known to belong to one. */
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

  /** Indexes of the items in the searched slots. */
  protected *indexesOf({ first, count, slotsPerItem, itemsPerSlot }: StorageItems): Generator<bigint> {
    const rows = (count + itemsPerSlot - 1n) / itemsPerSlot
    let index = 0n
    for (const slot of this.#slotsIn(first, first + rows * slotsPerItem)) {
      const row = (slot - first) / slotsPerItem
      // The slots of one item give its index once.
      if (index < row * itemsPerSlot) index = row * itemsPerSlot
      while (index < count && index < (row + 1n) * itemsPerSlot) yield index++
    }
  }

  /** The searched slots from one to another, which is excluded. */
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

/** The first six bytes of a word as a number. Two hashes that have them in common are almost always the same. */
function firstBytes(word: Uint8Array): number {
  let number = 0
  for (let index = 0; index < 6; index++) number = number * 256 + (word[index] ?? 0)
  return number
}
