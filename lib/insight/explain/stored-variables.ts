/** Lists the state variables of a contract with their values (Solidity documentation, "Layout of State Variables in Storage"). */

import type { StorageLayout, StorageType } from '../artifacts/compilation.ts'
import { bigIntToBytes32, bytesToBigInt, fromHex, toHash } from '../../base/hex.ts'
import type { Hash } from '../../base/hex.ts'
import { keccak256 } from '../../crypto/keccak.ts'
import { bytesOf, hashOf, textValue, valueText } from './storage-variable.ts'
import type { PlacedType } from './storage-variable.ts'

/** A state variable, or a part of one. */
export interface StoredVariable {
  /** Such as `owner`, `queue[3].amount` or `balances[0x...]`. */
  readonly variable: string
  /** Type in Solidity. */
  readonly type: string
  readonly slot: Hash
  /** Position of its lowest byte, counted from the lowest byte of the slot. */
  readonly offset: number
  /** Value as text; undefined for a mapping, whose keys are not stored. */
  readonly value: string | undefined
}

/** State variables, and whether these are all. */
export interface StoredVariables {
  readonly variables: readonly StoredVariable[]
  /** Whether nothing is left out: no item of a list, no byte of a text, no key. */
  readonly isWhole: boolean
}

/** Items that are read of a list or an array. */
const MAX_LISTED = 100

/** Values in one answer. */
const MAX_VARIABLES = 2000

/** Bytes that are read of a text. */
const MAX_TEXT_BYTES = 4096

/** Values of mappings that are read. Most of them are zero; on a fork each is a request. */
const MAX_MAPPED = 1024

/** Mappings within mappings are read to this depth. */
const MAX_DEPTH = 3

interface StorageReading {
  readonly read: (slot: Hash) => Hash
  /** Words that are tried as the keys of mappings. Values of zero are left out. */
  readonly keys: readonly bigint[]
}

/** The variables of some layouts, in their order. At most 2,000, 100 items of a list, 4,096 bytes of a text, 1,024 keys. */
export function storedVariables(layouts: readonly StorageLayout[], reading: StorageReading): StoredVariables {
  const list = new VariableList(reading)
  for (const { storage, types } of layouts) {
    for (const { label, slot, offset, type } of storage)
      list.add(types ?? {}, { type, slot: BigInt(slot), offset, path: label })
  }
  return list
}

class VariableList implements StoredVariables {
  readonly #reading: StorageReading
  readonly variables: StoredVariable[] = []
  isWhole = true
  #types: Readonly<Record<string, StorageType>> = {}
  #mappedLeft = MAX_MAPPED
  /** Mappings around the variable that is read. */
  #depth = 0

  constructor(reading: StorageReading) {
    this.#reading = reading
  }

  add(types: Readonly<Record<string, StorageType>>, place: PlacedType): void {
    this.#types = types
    this.#visit(place)
  }

  #visit(place: PlacedType): void {
    const type = this.#types[place.type]
    if (type === undefined) return
    if (this.variables.length >= MAX_VARIABLES) this.isWhole = false
    else if (type.encoding === 'mapping') this.#visitMapping(type, place)
    else if (type.encoding === 'dynamic_array') this.#visitList(type, place)
    else if (type.encoding === 'bytes') this.#visitBytes(type, place)
    else if (type.members !== undefined) this.#visitMembers(type.members, place)
    else if (type.base !== undefined) this.#visitArray(type, place)
    else this.#put(type, place, valueText(type, this.#bytes(type, place)))
  }

  #visitMembers(members: NonNullable<StorageType['members']>, { slot, path }: PlacedType): void {
    for (const { label, slot: relative, offset, type } of members)
      this.#visit({ type, slot: slot + BigInt(relative), offset, path: `${path}.${label}` })
  }

  #visitList(type: StorageType, place: PlacedType): void {
    const count = bytesToBigInt(this.#word(place.slot))
    this.#put({ ...type, label: 'uint256' }, { ...place, path: `${place.path}.length` }, count.toString())
    this.#visitItems(type, { ...place, slot: hashOf(place.slot) }, count)
  }

  /** An array has no count of its own: its type ends with it, such as `uint64[3]`. */
  #visitArray(type: StorageType, place: PlacedType): void {
    this.#visitItems(type, place, BigInt(/\[(\d+)\]$/.exec(type.label)?.[1] ?? 0))
  }

  /** Small items share a slot. */
  #visitItems({ base = '' }: StorageType, { slot, path }: PlacedType, count: bigint): void {
    const size = Number(this.#types[base]?.numberOfBytes ?? 32)
    const [perSlot, slots] = size > 16 ? [1, Math.ceil(size / 32)] : [Math.floor(32 / size), 1]
    if (count > MAX_LISTED) this.isWhole = false
    for (let index = 0; index < Math.min(Number(count), MAX_LISTED); index++) {
      const row = BigInt(Math.floor(index / perSlot) * slots)
      const offset = size > 16 ? 0 : (index % perSlot) * size
      this.#visit({ type: base, slot: slot + row, offset, path: `${path}[${index}]` })
    }
  }

  #visitBytes(type: StorageType, place: PlacedType): void {
    const word = this.#word(place.slot)
    const isLong = (word[31] ?? 0) % 2 === 1
    if (!isLong) return this.#put(type, place, valueText(type, word))
    const length = (bytesToBigInt(word) - 1n) / 2n
    const kept = Number(length < MAX_TEXT_BYTES ? length : MAX_TEXT_BYTES)
    const first = hashOf(place.slot)
    const words = Array.from({ length: Math.ceil(kept / 32) }, (_, index) =>
      this.#word(first + BigInt(index)),
    )
    const text = textValue(type, Buffer.concat(words).subarray(0, kept))
    if (kept < length) this.isWhole = false
    this.#put(type, place, kept < length ? `${text} (${length} bytes)` : text)
  }

  #visitMapping(type: StorageType, place: PlacedType): void {
    if (this.#depth === 0) this.#put(type, place, undefined)
    const { value } = type
    const key = this.#types[type.key ?? '']
    if (value === undefined || key?.encoding !== 'inplace' || this.#depth === MAX_DEPTH) return
    this.#depth++
    for (const word of this.#reading.keys) {
      const shown = keyText(key, word)
      if (shown === undefined) continue
      if (this.#mappedLeft === 0) {
        this.isWhole = false
        break
      }
      this.#mappedLeft--
      const slot = bytesToBigInt(
        keccak256(Buffer.concat([bigIntToBytes32(word), bigIntToBytes32(place.slot)])),
      )
      this.#visit({ type: value, slot, offset: 0, path: `${place.path}[${shown}]` })
    }
    this.#depth--
  }

  #bytes(type: StorageType, { slot, offset, path }: PlacedType): Uint8Array {
    return bytesOf({ path, type, offset, length: Number(type.numberOfBytes) }, this.#word(slot))
  }

  #word = (slot: bigint): Uint8Array =>
    fromHex(this.#reading.read(toHash(bigIntToBytes32(BigInt.asUintN(256, slot)))))

  #put({ label }: StorageType, { slot, offset, path }: PlacedType, value: string | undefined): void {
    // A key without a value is no key.
    if (this.#depth > 0 && bytesToBigInt(this.#word(slot)) === 0n) return
    const at = toHash(bigIntToBytes32(BigInt.asUintN(256, slot)))
    this.variables.push({ variable: path, type: label, slot: at, offset, value })
  }
}

/** A word as a key; undefined if it does not fit. Bytes of fixed length lie at the left of a word, all other types at the right. */
function keyText(key: StorageType, word: bigint): string | undefined {
  const length = Number(key.numberOfBytes)
  const bytes = bigIntToBytes32(word)
  if (key.label.startsWith('bytes')) return valueText(key, bytes.subarray(0, length))
  if (key.label.startsWith('int')) {
    return bytesToBigInt(bytes) === BigInt.asUintN(256, BigInt.asIntN(8 * length, word))
      ? valueText(key, bytes.subarray(-length))
      : undefined
  }
  return word >> BigInt(8 * length) === 0n ? valueText(key, bytes.subarray(-length)) : undefined
}
