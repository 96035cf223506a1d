/** Lists of objects in the storage of the Bridge, each described once for reading and writing. */

import type { Address, Hash } from '../../../base/hex.ts'
import { bigIntToBytes, bytesToBigInt, fromHex, toAddress, toHash } from '../../../base/hex.ts'
import { InvariantError } from '../../../base/invariant.ts'
import { bytesOf, listOf, type BridgeStorage } from './bridge-storage.ts'

/** Converts a member of an object to bytes and back. */
export interface Field<Value = unknown> {
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

/** A list under a name: RLP of a list with the fields of each object. It is absent while the list is empty. */
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

  /** Replaces the objects. */
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
    // Always true. The check is for the compiler.
    if (isComplete(members)) return members
    throw new InvariantError(`an item of ${this.#name} is incomplete`)
  }
}
