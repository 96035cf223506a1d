/** Lists the state variables of a contract with their values. */

import type { StorageBytes, StorageLayout, StorageMapping, StorageType } from '../artifacts/storage-layout.ts'
import type { StorageValue } from '../artifacts/storage-layout.ts'
import { bigIntToBytes32, bytesToBigInt, fromHex, toWord, type Hash } from '../../base/hex.ts'
import type { StoredVariables } from '../../schema/contract-results.ts'
import { textValue, valueText, StorageWalk, bytesIn, hashOf } from './storage-walk.ts'
import type { StorageItems, StoragePlace } from './storage-walk.ts'

/** Maximum number of items that are read of one array, dynamic or fixed. */
const MAX_LISTED = 100n

/** Maximum number of variables in one answer. */
const MAX_VARIABLES = 2000

/** Maximum number of bytes that are read of one text. */
const MAX_TEXT_BYTES = 4096

/** Maximum number of values of mappings that are read. Most of them are zero; on a fork each is a request. */
const MAX_MAPPED = 1024

interface StorageReading {
  readonly read: (slot: Hash) => Hash
  /** Words that are tried as the keys of mappings. Values of zero are left out. */
  readonly keys: readonly bigint[]
}

/** The variables of some layouts, in their order, within the limits above. */
export class VariableList extends StorageWalk implements StoredVariables {
  readonly #read: StorageReading['read']
  readonly #keys: readonly Uint8Array[]
  readonly variables: StoredVariables['variables'][number][] = []

  constructor(layouts: readonly StorageLayout[], { read, keys }: StorageReading) {
    super()
    this.#read = read
    this.#keys = keys.map(bigIntToBytes32)
    this.valuesLeft = MAX_MAPPED
    for (const layout of layouts) this.walk(layout)
  }

  protected override visit(type: StorageType, place: StoragePlace): void {
    if (this.variables.length >= MAX_VARIABLES) this.isWhole = false
    else super.visit(type, place)
  }

  protected put(type: StorageValue | StorageBytes, place: StoragePlace): void {
    this.#add(type, place, valueText(type, bytesIn(this.#word(place.slot), type, place.offset)))
  }

  protected visitBytes(type: StorageBytes, place: StoragePlace): void {
    const word = this.#word(place.slot)
    const isLong = (word[31] ?? 0) % 2 === 1
    if (!isLong) return this.put(type, place)
    const length = (bytesToBigInt(word) - 1n) / 2n
    const kept = Number(length < MAX_TEXT_BYTES ? length : MAX_TEXT_BYTES)
    const first = hashOf(place.slot)
    const words = Array.from({ length: Math.ceil(kept / 32) }, (_, index) =>
      this.#word(first + BigInt(index)),
    )
    const text = textValue(type, Buffer.concat(words).subarray(0, kept))
    if (kept < length) this.isWhole = false
    this.#add(type, place, kept < length ? `${text} (${length} bytes)` : text)
  }

  protected countAt(slot: bigint): bigint {
    return bytesToBigInt(this.#word(slot))
  }

  protected *indexesOf({ count }: StorageItems): Generator<bigint> {
    if (count > MAX_LISTED) this.isWhole = false
    for (let index = 0n; index < count && index < MAX_LISTED; index++) yield index
  }

  protected override visitMapping(type: StorageMapping, place: StoragePlace): void {
    if (this.depth === 0) this.#add(type, place, undefined)
    super.visitMapping(type, place)
  }

  protected keysFor(): readonly Uint8Array[] {
    return this.#keys
  }

  protected wants(): boolean {
    return true
  }

  #word(slot: bigint): Uint8Array {
    return fromHex(this.#read(toWord(BigInt.asUintN(256, slot))))
  }

  #add({ label }: StorageType, { slot, offset, path }: StoragePlace, value: string | undefined): void {
    // Most of the tried keys were never written: their values are zero, and are left out.
    if (this.depth > 0 && bytesToBigInt(this.#word(slot)) === 0n) return
    const at = toWord(BigInt.asUintN(256, slot))
    this.variables.push({ variable: path, type: label, slot: at, offset, value })
  }
}
