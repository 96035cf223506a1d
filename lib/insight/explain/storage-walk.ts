/** Walks the state variables of a contract (Solidity documentation, "Layout of State Variables in Storage"). */

import type { StorageLayout, StorageType, StorageVariable } from '../artifacts/schemas.ts'
import { bigIntToBytes32, bytesToBigInt } from '../../base/hex.ts'
import { keccak256, keccak256InPlace } from '../../crypto/keccak.ts'
import { valueText } from './storage-text.ts'

/** A state variable, or a part of one, in the storage. */
export interface StoragePlace {
  /** Identifier of the type. */
  readonly type: string
  readonly slot: bigint
  /** Position of the lowest byte, counted from the lowest byte of the slot. */
  readonly offset: number
  /** Such as `owner`, `queue[3].amount` or `balances[0x...]`. */
  readonly path: string
}

/** The items of a list or an array: large ones occupy whole slots, small ones share a slot. */
export interface StorageItems {
  /** Slot of the first item. */
  readonly first: bigint
  readonly count: bigint
  readonly slotsPerItem: bigint
  readonly itemsPerSlot: bigint
}

/** Mappings within mappings are walked to this depth. */
const MAX_DEPTH = 3

/** Visits the variables of layouts. Subclasses choose the items and the keys. */
export abstract class StorageWalk {
  protected types: Readonly<Record<string, StorageType>> = {}
  /** Mappings around the visited variable. */
  protected depth = 0
  /** Number of further values of mappings to visit. */
  protected valuesLeft = 0
  /** Whether no key has been left out. */
  isWhole = true

  /** Visits variables of one layout. */
  protected walk(storage: readonly StorageVariable[], types: StorageLayout['types']): void {
    this.types = types ?? {}
    for (const { label, slot, offset, type } of storage)
      this.visit({ type, slot: BigInt(slot), offset, path: label })
  }

  /** Receives a value that lies within one slot. */
  protected abstract put(type: StorageType, place: StoragePlace): void

  /** Receives a text or bytes. */
  protected abstract visitBytes(type: StorageType, place: StoragePlace): void

  /** Number of items of the list whose length is in a slot. */
  protected abstract countAt(slot: bigint): bigint

  /** Indexes of the items to visit. */
  protected abstract indexesOf(items: StorageItems): Iterable<bigint>

  /** Words of 32 bytes to try as keys of a mapping with values of a type. */
  protected abstract keysFor(value: string): Iterable<Uint8Array>

  /** Whether to visit a value that lies in the slots from a hash on. */
  protected abstract wants(hash: Uint8Array): boolean

  protected visit(place: StoragePlace): void {
    const type = this.types[place.type]
    if (type === undefined) return
    const { slot, path } = place
    if (type.encoding === 'mapping') this.visitMapping(type, place)
    else if (type.encoding === 'bytes') this.visitBytes(type, place)
    else if (type.encoding === 'dynamic_array') {
      this.put({ ...type, label: 'uint256' }, { ...place, path: `${path}.length` })
      this.#visitItems(type, { ...place, slot: hashOf(slot) }, this.countAt(slot))
    } else if (type.members !== undefined) {
      for (const { label, slot: relative, offset, type: member } of type.members)
        this.visit({ type: member, slot: slot + BigInt(relative), offset, path: `${path}.${label}` })
    } else if (type.base === undefined) this.put(type, place)
    // An array has no count of its own: its type ends with it, such as `uint64[3]`.
    else this.#visitItems(type, place, BigInt(/\[(\d+)\]$/.exec(type.label)?.[1] ?? 0))
  }

  #visitItems({ base = '' }: StorageType, { slot: first, path }: StoragePlace, count: bigint): void {
    const size = BigInt(this.types[base]?.numberOfBytes ?? 32)
    const slotsPerItem = (size + 31n) / 32n
    const itemsPerSlot = size > 16n ? 1n : 32n / size
    for (const index of this.indexesOf({ first, count, slotsPerItem, itemsPerSlot })) {
      const slot = first + (index / itemsPerSlot) * slotsPerItem
      const offset = Number((index % itemsPerSlot) * size)
      this.visit({ type: base, slot, offset, path: `${path}[${index}]` })
    }
  }

  protected visitMapping({ key: keyType = '', value }: StorageType, { slot, path }: StoragePlace): void {
    const key = this.types[keyType]
    if (value === undefined || key?.encoding !== 'inplace' || this.depth === MAX_DEPTH) return
    const isInPlace = this.#isInPlace(value)
    const hashed = new Uint8Array(64)
    hashed.set(bigIntToBytes32(slot), 32)
    this.depth++
    for (const word of this.keysFor(value)) {
      const bytes = bytesOfKey(key, word)
      if (bytes === undefined) continue
      if (this.valuesLeft-- <= 0) {
        this.isWhole = false
        break
      }
      hashed.set(word)
      const hash = keccak256InPlace(hashed)
      if (isInPlace && !this.wants(hash)) continue
      const at = bytesToBigInt(hash)
      this.visit({ type: value, slot: at, offset: 0, path: `${path}[${valueText(key, bytes)}]` })
    }
    this.depth--
  }

  /** Whether all of a value lies in the slots from its first one on. */
  #isInPlace(name: string): boolean {
    const type = this.types[name]
    if (type?.encoding !== 'inplace') return false
    return [type.base ?? [], ...(type.members ?? []).map((member) => member.type)]
      .flat()
      .every((part) => this.#isInPlace(part))
  }
}

/** The bytes of a word that are the key; undefined if the word does not fit the type. */
function bytesOfKey({ label, numberOfBytes }: StorageType, word: Uint8Array): Uint8Array | undefined {
  // Bytes of fixed length lie at the left of a word, all other types at the right.
  if (label.startsWith('bytes')) return word.subarray(0, Number(numberOfBytes))
  const start = 32 - Number(numberOfBytes)
  const fill = label.startsWith('int') && (word[start] ?? 0) >= 0x80 ? 0xff : 0
  for (let index = 0; index < start; index++) if (word[index] !== fill) return undefined
  return word.subarray(start)
}

/** First slot of the items of a list, or of a text, that has its length in a slot. */
export const hashOf = (slot: bigint): bigint => bytesToBigInt(keccak256(bigIntToBytes32(slot)))

/** The bytes of a value in its slot. */
export const bytesIn = (word: Uint8Array, { numberOfBytes }: StorageType, offset: number): Uint8Array =>
  word.subarray(32 - offset - Number(numberOfBytes), 32 - offset)
