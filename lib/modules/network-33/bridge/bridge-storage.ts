/**
 * Stores named values in the storage of the Bridge, so that reverts, reads at earlier blocks, proofs and replays include them.
 * The methods of the Bridge choose the names.
 */

import {
  EMPTY_BYTES,
  bigIntToBytes,
  bytesToBigInt,
  padTo32,
  toHash,
  toWord,
  fromHex,
  toAddress,
  type Hash,
  type Address,
} from '../../../base/hex.ts'
import { InvariantError } from '../../../base/invariant.ts'
import { decodeRlp, encodeRlp, type RlpInput, type RlpItem } from '../../../base/rlp.ts'
import { keccak256 } from '../../../crypto/keccak.ts'
import type { State } from '../../../state/state.ts'
import { BRIDGE_ADDRESS } from './constants.ts'

/**
 * First byte of a value's first slot. After SHORT the value follows in this slot. After LONG the length follows, and the value is
 * in the next slots. REMOVED hides a remote value.
 */
const SHORT = 1
const LONG = 2
const REMOVED = 3

/** Maximum bytes of a value in its first slot. */
const MAX_SHORT = 31
const WORD = 32

/** Reads a named value from a fork's remote, if it is set. */
type RemoteValue = (name: string) => Uint8Array | undefined

/**
 * Named values in the storage of the Bridge. The first slot of a value is the hash of its name and holds a value of up to
 * 31 bytes. Longer values are in the following slots, 32 bytes each. A zero slot means that there is no value.
 */
export class BridgeStorage {
  /** Whether a read value was set or removed here rather than on the remote. */
  hasReadOwn = false
  readonly #state: Pick<State, 'storage' | 'putStorage'>
  readonly #remote: RemoteValue | undefined

  /** On a fork, `remote` returns the values that are not set here. */
  constructor(state: Pick<State, 'storage' | 'putStorage'>, remote?: RemoteValue) {
    this.#state = state
    this.#remote = remote
  }

  /** The value, if it is set; it can be empty. */
  bytes(name: string): Uint8Array | undefined {
    const slot = slotOf(name)
    if (this.#remote === undefined) return this.bytesAt(slot)
    if (this.#state.storage(BRIDGE_ADDRESS, slot).length === 0) return this.#remote(name)
    this.hasReadOwn = true
    return this.bytesAt(slot)
  }

  /** The value with this first slot. */
  bytesAt(slot: Hash): Uint8Array | undefined {
    const first = this.#state.storage(BRIDGE_ADDRESS, slot)
    if (first.length === 0 || first[0] === REMOVED) return undefined
    if (first[0] === SHORT) return first.subarray(1)
    const value = new Uint8Array(lengthIn(first))
    for (let index = 0; index * WORD < value.length; index++) {
      const chunk = padTo32(this.#state.storage(BRIDGE_ADDRESS, chunkSlot(slot, index)))
      value.set(chunk.subarray(0, value.length - index * WORD), index * WORD)
    }
    return value
  }

  /** Sets the value, or removes it. */
  putBytes(name: string, value: Uint8Array | undefined): void {
    const slot = slotOf(name)
    const before = longChunks(this.#state.storage(BRIDGE_ADDRESS, slot))
    const isLong = value !== undefined && value.length > MAX_SHORT
    const chunks = isLong ? Math.ceil(value.length / WORD) : 0
    this.#put(
      slot,
      value === undefined && this.#remote !== undefined ? Uint8Array.of(REMOVED) : firstSlot(value),
    )
    for (let index = 0; index < chunks; index++) {
      const chunk = new Uint8Array(WORD)
      chunk.set(value?.subarray(index * WORD, (index + 1) * WORD) ?? [])
      this.#put(chunkSlot(slot, index), chunk)
    }
    for (let index = chunks; index < before; index++) this.#put(chunkSlot(slot, index), EMPTY_BYTES)
  }

  /** A non-negative number, if it is set. */
  number(name: string): bigint | undefined {
    const value = this.bytes(name)
    return value === undefined ? undefined : bytesToBigInt(value)
  }

  /** Sets the number, or removes it. */
  putNumber(name: string, value: bigint | undefined): void {
    this.putBytes(name, value === undefined ? undefined : bigIntToBytes(value))
  }

  /** An RLP item, if it is set. */
  record(name: string): RlpItem | undefined {
    const value = this.bytes(name)
    return value === undefined ? undefined : decodeRlp(value)
  }

  /** Sets or removes an RLP item. */
  putRecord(name: string, record: RlpInput | undefined): void {
    this.putBytes(name, record === undefined ? undefined : encodeRlp(record))
  }

  #put(slot: Hash, value: Uint8Array): void {
    this.#state.putStorage(BRIDGE_ADDRESS, slot, value)
  }
}

/** The members of a list in a record; empty if the item is not a list. */
export const listOf = (item: RlpItem | undefined): readonly RlpItem[] =>
  item === undefined || item instanceof Uint8Array ? [] : item

/** The bytes of an item in a record; empty for a list. */
export const bytesOf = (item: RlpItem | undefined): Uint8Array =>
  item instanceof Uint8Array ? item : EMPTY_BYTES

/** The first slot of a value. */
export const slotOf = (name: string): Hash => toHash(keccak256(new Uint8Array(Buffer.from(name, 'utf8'))))

function firstSlot(value: Uint8Array | undefined): Uint8Array {
  if (value === undefined) return EMPTY_BYTES
  if (value.length <= MAX_SHORT) return Uint8Array.of(SHORT, ...value)
  return Uint8Array.of(LONG, ...bigIntToBytes(BigInt(value.length)))
}

const lengthIn = (first: Uint8Array): number => Number(bytesToBigInt(first.subarray(1)))

const longChunks = (first: Uint8Array): number => (first[0] === LONG ? Math.ceil(lengthIn(first) / WORD) : 0)

const chunkSlot = (slot: Hash, index: number): Hash =>
  toWord(BigInt.asUintN(256, BigInt(slot) + 1n + BigInt(index)))

/** Converts a member of an object to bytes and back. */
interface Field<Value = unknown> {
  encode(value: Value): Uint8Array
  decode(bytes: Uint8Array): Value
}

export const rawField: Field<Uint8Array> = { encode: (bytes) => bytes, decode: (bytes) => bytes }
export const numberField: Field<bigint> = { encode: bigIntToBytes, decode: bytesToBigInt }
export const indexField: Field<number> = {
  encode: (index) => bigIntToBytes(BigInt(index)),
  decode: (bytes) => Number(bytesToBigInt(bytes)),
}
export const hashField: Field<Hash> = { encode: fromHex, decode: toHash }
export const addressField: Field<Address> = { encode: fromHex, decode: toAddress }

type StoredFields = Readonly<Record<string, Field>>

/** An object with these fields. */
export type Stored<Described extends StoredFields> = {
  readonly [Name in keyof Described]: Described[Name] extends Field<infer Value> ? Value : never
}

/** A named list: RLP of the objects' fields. It is absent while empty. */
export class StoredList<const Described extends StoredFields> {
  readonly #name: string
  readonly #fields: Described

  constructor(name: string, fields: Described) {
    this.#name = name
    this.#fields = fields
  }

  /** The objects, oldest first. */
  read(storage: BridgeStorage): readonly Stored<Described>[] {
    return listOf(storage.record(this.#name)).map((item) => {
      const values = listOf(item).map(bytesOf)
      const members = Object.entries(this.#fields).map(([name, field], index): [string, unknown] => [
        name,
        field.decode(bytesOf(values[index])),
      ])
      return this.#complete(Object.fromEntries(members))
    })
  }

  write(storage: BridgeStorage, items: readonly Stored<Described>[]): void {
    const fields = Object.entries(this.#fields)
    const encoded = (item: Readonly<Record<string, unknown>>) =>
      fields.map(([name, field]) => field.encode(item[name]))
    storage.putRecord(this.#name, items.length === 0 ? undefined : items.map(encoded))
  }

  /** Removes the objects of which a test is true. */
  remove(storage: BridgeStorage, isRemoved: (item: Stored<Described>) => boolean): void {
    this.write(
      storage,
      this.read(storage).filter((item) => !isRemoved(item)),
    )
  }

  #complete(members: object): Stored<Described> {
    const isComplete = (found: object): found is Stored<Described> =>
      Object.keys(this.#fields).every((name) => name in found)
    // Always true. Only the compiler needs the check.
    if (isComplete(members)) return members
    throw new InvariantError(`an item of ${this.#name} is incomplete`)
  }
}
