/** Values in the storage (Solidity documentation, "Layout of State Variables in Storage"). */

import { bigIntToBytes32, bytesToBigInt, toWord } from '../../../base/hex.ts'
import { once } from '../../../base/once.ts'
import { keccak256 } from '../../../crypto/keccak.ts'
import { itemsPerSlot } from '../../../insight/artifacts/storage-layout.ts'
import type {
  StorageArray,
  StorageBytes,
  StorageMapping,
  StorageType,
} from '../../../insight/artifacts/storage-layout.ts'
import { hashOf, textValue } from '../../../insight/explain/storage-variables.ts'
import {
  MAX_LISTED,
  arrayValue,
  bytesValue,
  structValue,
  cleanWord,
  convertedWord,
  valueOfWord,
  wordFromRight,
  type Part,
  type StoredPlace,
  type UnknownValue,
  type Value,
  type MachineView,
} from './value.ts'

/** Maximum bytes of a text that are read. Longer ones are considered damaged. */
const MAX_TEXT_BYTES = 1 << 20

/** Maximum items of an array. No program can write more, so a larger number is damage. */
const MAX_ITEMS = 1n << 48n

const MAX_PLACE_SLOTS = 1n << 20n

export function valueInStorage(
  type: StorageType,
  slot: bigint,
  offset: number,
  machine: MachineView,
): Value | UnknownValue {
  const stored = placeOf(type, slot, offset, machine)
  switch (type.kind) {
    case 'value':
      return valueOfWord(
        type,
        wordFromRight(type, machine.storage(slot) >> BigInt(8 * offset)),
        machine,
        stored,
      )
    case 'bytes':
      return bytesInStorage(type, slot, machine, stored)
    case 'array':
      return arrayInStorage(type, slot, machine, stored)
    case 'mapping':
      return mappingValue(type, slot, machine)
    case 'struct': {
      const members = () =>
        type.members.map((member): Part => {
          const at = BigInt.asUintN(256, slot + member.slot)
          return [member.label, valueInStorage(member.type, at, member.offset, machine)]
        })
      return structValue({ type: `${type.label} storage`, count: type.members.length, members, stored })
    }
  }
}

/** The value of a transient variable (EIP-1153). */
export function valueInTransient(
  type: StorageType,
  slot: bigint,
  offset: number,
  machine: MachineView,
): Value | UnknownValue {
  const value = valueInStorage(type, slot, offset, { ...machine, storage: machine.transient })
  return { ...value, stored: undefined }
}

function placeOf(
  { slots, bytes }: StorageType,
  slot: bigint,
  offset: number,
  { address }: MachineView,
): StoredPlace {
  const count = slots < MAX_PLACE_SLOTS ? slots : MAX_PLACE_SLOTS
  return { address, slot: toWord(slot), offset, bytes: count === 1n ? bytes : 32 * Number(count) }
}

function arrayInStorage(
  type: StorageArray,
  slot: bigint,
  machine: MachineView,
  stored: StoredPlace,
): Value | UnknownValue {
  const [label, base] = [`${type.label} storage`, type.base()]
  if (base === undefined) return { type: label, unknown: 'the type of its items is not known' }
  const count = type.count ?? machine.storage(slot)
  if (type.count === undefined && count > MAX_ITEMS) return { type: label, unknown: `its length is ${count}` }
  const first = type.count === undefined ? hashOf(slot) : slot
  const shared = itemsPerSlot(base)
  const item = (index: bigint) => {
    const at = BigInt.asUintN(256, first + (index / shared) * base.slots)
    return valueInStorage(base, at, Number(index % shared) * base.bytes, machine)
  }
  return arrayValue({ type: label, count, item, stored })
}

/** Up to 31 bytes are in the slot. For longer content the slot has the length, and the content begins at the slot's hash. */
function bytesInStorage(
  type: StorageBytes,
  slot: bigint,
  machine: MachineView,
  stored: StoredPlace,
): Value | UnknownValue {
  const word = machine.storage(slot)
  const isLong = word % 2n === 1n
  const length = isLong ? word >> 1n : (word & 0xffn) >> 1n
  if (isLong ? length < 32n : length > 31n)
    return { type: `${type.label} storage`, unknown: `its slot has a wrong length, ${length}` }
  if (length > MAX_TEXT_BYTES) return { type: `${type.label} storage`, unknown: `its length is ${length}` }
  const first = isLong ? hashOf(slot) : 0n
  const words = isLong
    ? Array.from({ length: Math.ceil(Number(length) / 32) }, (_, index) =>
        machine.storage(BigInt.asUintN(256, first + BigInt(index))),
      )
    : [word]
  const content = Buffer.concat(words.map(bigIntToBytes32)).subarray(0, Number(length))
  return bytesValue(type, 'storage', content, stored)
}

/** Maximum number of hashes computed to list a mapping's keys. */
const MAX_TRIED = 2048

const MAX_TRIED_INSIDE = 64

/** Depth of nested mappings in which keys are tried. */
const MAX_DEPTH = 3

/** Slots of a value that are read to decide whether it is zero. */
const MAX_READ = 16n

/** A mapping: values of given keys, and of known keys that have one. */
function mappingValue(type: StorageMapping, slot: bigint, machine: MachineView): Value | UnknownValue {
  const read = (of: StorageType, at: bigint) => valueInStorage(of, at, 0, machine)
  const [key, value] = [type.key(), type.value()]
  if (key === undefined || value === undefined)
    return { type: type.label, unknown: 'the type of its keys or values is not known' }
  const parts = once(() => {
    const search = new KeySearch(machine)
    const known = search.entriesOf(type, slot, MAX_TRIED)
    return Array.from(known, ([name, at]): Part => [name, read(value, at)])
  })
  return {
    type: type.label,
    parts,
    get count() {
      return parts().length
    },
    get text() {
      const { length } = parts()
      return `mapping (${length} known key${length === 1 ? '' : 's'})`
    },
    at(given) {
      const bytes = bytesOfKey(key, given)
      return bytes && read(value, slotOf(bytes, slot))
    },
  }
}

/** The slot of a value: the hash of the key and the slot of the mapping. */
const slotOf = (key: Uint8Array, slot: bigint): bigint =>
  bytesToBigInt(keccak256(Buffer.concat([key, bigIntToBytes32(slot)])))

/** The bytes that are hashed for a key; undefined if it has the wrong type. */
function bytesOfKey(type: StorageType, key: Value): Uint8Array | undefined {
  if (type.kind === 'bytes') return key.content
  const word = type.kind === 'value' ? convertedWord(type, key) : undefined
  return word === undefined ? undefined : bigIntToBytes32(word)
}

/** Tries keys, within a limit for all mappings in a mapping. */
class KeySearch {
  readonly #machine: MachineView
  #left = MAX_TRIED
  #depth = 0

  constructor(machine: MachineView) {
    this.#machine = machine
  }

  /** Known keys with a nonzero value as text in brackets, with the slots of the values. */
  entriesOf(type: StorageMapping, slot: bigint, most: number): ReadonlyMap<string, bigint> {
    const found = new Map<string, bigint>()
    const [key, value] = [type.key(), type.value()]
    if (key === undefined || value === undefined || this.#depth === MAX_DEPTH) return found
    this.#depth++
    for (const tried of this.#machine.keys().slice(0, most)) {
      if (!isKey(key, tried)) continue
      if (this.#left-- <= 0 || found.size === MAX_LISTED) break
      const at = slotOf(tried, slot)
      if (this.#isSet(value, at)) found.set(`[${this.#textOf(key, tried)}]`, at)
    }
    this.#depth--
    return found
  }

  #textOf(type: StorageType, key: Uint8Array): string {
    if (type.kind === 'bytes') return textValue(type, key)
    return type.kind === 'value' ? valueOfWord(type, bytesToBigInt(key), this.#machine).text : ''
  }

  #isSet(type: StorageType, slot: bigint): boolean {
    if (type.kind === 'mapping') return this.entriesOf(type, slot, MAX_TRIED_INSIDE).size > 0
    for (let at = 0n; at < type.slots && at < MAX_READ; at++)
      if (this.#machine.storage(BigInt.asUintN(256, slot + at)) !== 0n) return true
    return (
      type.kind === 'struct' &&
      type.members.some(
        (member) =>
          member.type.kind === 'mapping' && this.#isSet(member.type, BigInt.asUintN(256, slot + member.slot)),
      )
    )
  }
}

function isKey(type: StorageType, tried: Uint8Array): boolean {
  if (type.kind !== 'value' || tried.length !== 32) return type.kind === 'bytes'
  const word = bytesToBigInt(tried)
  return cleanWord(type, word) === word
}
