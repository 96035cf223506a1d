/** Mappings in the storage: the values of given keys, and of the known keys that have one. */

import { bigIntToBytes32, bytesToBigInt } from '../../../base/hex.ts'
import { once } from '../../../base/once.ts'
import { keccak256 } from '../../../crypto/keccak.ts'
import type { StorageMapping, StorageType } from '../../artifacts/storage-layout.ts'
import { textValue } from '../../explain/storage-walk.ts'
import { MAX_LISTED } from './compound-values.ts'
import { cleanWord, convertedWord, valueOfWord } from './value-types.ts'
import type { Part, UnknownValue, Value, MachineView } from './value.ts'

/** Hashes that are computed to list the keys of a mapping. */
const MAX_TRIED = 2048

/** Keys that are tried of each mapping inside of a mapping. */
const MAX_TRIED_INSIDE = 64

/** Mappings within mappings in which keys are tried. */
const MAX_DEPTH = 3

/** Slots of a value that are read to see whether it is zero. */
const MAX_READ = 16n

/** Reads the value of a key. */
type ValueReader = (type: StorageType, slot: bigint) => Value | UnknownValue

export function mappingValue(
  type: StorageMapping,
  slot: bigint,
  machine: MachineView,
  read: ValueReader,
): Value | UnknownValue {
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

/** What is hashed for a key; undefined if it is none of the type. */
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

  /** The known keys with a value that is not zero, as text in brackets, with the slots of the values. */
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

/** Whether bytes are a key of a type. */
function isKey(type: StorageType, tried: Uint8Array): boolean {
  if (type.kind !== 'value' || tried.length !== 32) return type.kind === 'bytes'
  const word = bytesToBigInt(tried)
  return cleanWord(type, word) === word
}
