/** Reads the state variables in a slot (Solidity documentation, "Layout of State Variables in Storage"). */

import type { StorageType } from '../artifacts/compilation.ts'
import { bigIntToBytes32, bytesToBigInt } from '../../base/hex.ts'
import { keccak256 } from '../../crypto/keccak.ts'

/** A part of a slot that a state variable occupies. */
export interface SlotVariable {
  /** Such as `balances[0x...]`, `owner` or `queue[3].amount`. */
  readonly path: string
  readonly type: StorageType
  /** Position of its lowest byte, counted from the lowest byte of the slot. */
  readonly offset: number
  /** Number of bytes in the slot. */
  readonly length: number
}

/** A type at a place in the storage. */
export interface PlacedType {
  readonly type: string
  readonly slot: bigint
  readonly offset: number
  readonly path: string
}

/** Slots after the first one of a list or a text in which its items are looked for. */
export const MAX_ITEMS = 2n ** 64n

/** Searches a variable for one slot. */
class SlotSearch {
  readonly #types: Readonly<Record<string, StorageType>>
  readonly #slot: bigint
  readonly found: SlotVariable[] = []

  constructor(types: Readonly<Record<string, StorageType>>, slot: bigint) {
    this.#types = types
    this.#slot = slot
  }

  visit(place: PlacedType): void {
    const type = this.#types[place.type]
    if (type === undefined) return
    if (type.encoding === 'dynamic_array') this.#visitList(type, place)
    else if (type.encoding === 'bytes') this.#visitBytes(type, place)
    else if (type.encoding === 'inplace' && this.#isWithin(place, type)) this.#visitInPlace(type, place)
  }

  #isWithin({ slot }: PlacedType, type: StorageType): boolean {
    return this.#slot >= slot && this.#slot < slot + slotsOf(type)
  }

  #visitInPlace(type: StorageType, place: PlacedType): void {
    const { slot, path } = place
    if (type.members !== undefined) {
      for (const { label, slot: relative, offset, type: member } of type.members)
        this.visit({
          ...place,
          type: member,
          slot: slot + BigInt(relative),
          offset,
          path: `${path}.${label}`,
        })
    } else if (type.base !== undefined) this.#visitItem(type.base, place, slot)
    else this.#add(type, place, Number(type.numberOfBytes))
  }

  #visitList(type: StorageType, place: PlacedType): void {
    if (this.#slot === place.slot)
      this.#add({ ...type, label: 'uint256' }, { ...place, path: `${place.path}.length` }, 32)
    const first = hashOf(place.slot)
    if (type.base !== undefined && this.#slot >= first && this.#slot < first + MAX_ITEMS)
      this.#visitItem(type.base, place, first)
  }

  /** Visits the items of a list or an array that lie in the slot. Small items share a slot. */
  #visitItem(itemType: string, place: PlacedType, first: bigint): void {
    const size = BigInt(this.#types[itemType]?.numberOfBytes ?? 32)
    const slots = (size + 31n) / 32n
    const perSlot = size > 16n ? 1n : 32n / size
    const row = (this.#slot - first) / slots
    for (let each = 0n; each < perSlot; each++) {
      const [slot, path] = [first + row * slots, `${place.path}[${row * perSlot + each}]`]
      this.visit({ ...place, type: itemType, slot, offset: Number(each * size), path })
    }
  }

  #visitBytes(type: StorageType, place: PlacedType): void {
    if (this.#slot === place.slot) return this.#add(type, place, 32)
    const first = hashOf(place.slot)
    if (this.#slot < first || this.#slot >= first + MAX_ITEMS) return
    const from = (this.#slot - first) * 32n
    const path = `${place.path} (bytes ${from} to ${from + 31n})`
    this.#add({ ...type, encoding: 'inplace', label: 'bytes32' }, { ...place, path }, 32)
  }

  #add(type: StorageType, { path, offset }: PlacedType, length: number): void {
    this.found.push({ path, type, offset, length })
  }
}

/** First slot of the items of a list, or of a text, that has its length in a slot. */
export const hashOf = (slot: bigint): bigint => bytesToBigInt(keccak256(bigIntToBytes32(slot)))

/** Number of slots that a type occupies. */
export const slotsOf = (type: StorageType): bigint => (BigInt(type.numberOfBytes) + 31n) / 32n

/** The parts of a variable, which is not a mapping, in a slot. */
export function variablesAt(
  types: Readonly<Record<string, StorageType>>,
  place: PlacedType,
  slot: bigint,
): readonly SlotVariable[] {
  const search = new SlotSearch(types, slot)
  search.visit(place)
  return search.found
}

/** The bytes of a variable in its slot. */
export const bytesOf = ({ offset, length }: SlotVariable, word: Uint8Array): Uint8Array =>
  word.subarray(32 - offset - length, 32 - offset)

/** A value as text: numbers in decimal digits, short texts and bytes as they are, everything else as hex. */
export function valueText({ encoding, label }: StorageType, bytes: Uint8Array): string {
  if (encoding === 'bytes') return textOf(label, bytes)
  const number = bytesToBigInt(bytes)
  if (label === 'bool') return number === 0n ? 'false' : 'true'
  if (/^(uint|enum)/.test(label)) return number.toString()
  if (label.startsWith('int')) return BigInt.asIntN(8 * bytes.length, number).toString()
  return `0x${Buffer.from(bytes).toString('hex')}`
}

/** A text or bytes in their slot. Up to 31 bytes are in it; of longer ones it has the length. */
function textOf(label: string, word: Uint8Array): string {
  const last = word.at(-1) ?? 0
  if (last % 2 === 1) return `(${(bytesToBigInt(word) - 1n) / 2n} bytes)`
  return textValue({ label }, word.subarray(0, last / 2))
}

/** The bytes of a text in quotes, other bytes as hex. */
export function textValue({ label }: Pick<StorageType, 'label'>, bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes)
  return label === 'string' ? JSON.stringify(buffer.toString('utf8')) : `0x${buffer.toString('hex')}`
}
