/** Values in the storage (Solidity documentation, "Layout of State Variables in Storage"). Mappings are in mapping-values.ts. */

import { bigIntToBytes32, toWord } from '../../../base/hex.ts'
import { itemsPerSlot } from '../../artifacts/storage-layout.ts'
import type { StorageArray, StorageBytes, StorageType } from '../../artifacts/storage-layout.ts'
import { hashOf } from '../../explain/storage-walk.ts'
import { arrayValue, bytesValue, structValue } from './compound-values.ts'
import { mappingValue } from './mapping-values.ts'
import { valueOfWord, wordFromRight } from './value-types.ts'
import type { Part, StoredPlace, UnknownValue, Value, MachineView } from './value.ts'

/** Bytes of a text that are read: longer ones are taken for damage. */
const MAX_TEXT_BYTES = 1 << 20

/** Items of an array that are believed: no program can write more. */
const MAX_ITEMS = 1n << 48n

/** Slots of a struct or an array that are named as one place. */
const MAX_PLACE_SLOTS = 1n << 20n

/** The value of a variable at a place in the storage. */
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
      return mappingValue(type, slot, machine, (value, at) => valueInStorage(value, at, 0, machine))
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

/** Up to 31 bytes are in the slot; of longer ones it has the length, and they begin at its hash. */
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
