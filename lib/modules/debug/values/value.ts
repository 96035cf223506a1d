/** Values of a program as a debugger shows them, and the machine that they are read from. */

import type { Address, Hash } from '../../../base/hex.ts'

/** The machine at one step. */
export interface MachineView {
  /** Bytes beyond are zero. */
  readonly memory: Uint8Array
  readonly calldata: Uint8Array
  /** The word in a slot of the account whose storage the frame uses. */
  readonly storage: (slot: bigint) => bigint
  readonly transient: (slot: bigint) => bigint
  /**
   * What may be keys of mappings, newest first: words, and texts or bytes that were hashed as keys. Only keys with a value that
   * is not zero are listed, so further ones do no harm.
   */
  readonly keys: () => readonly Uint8Array[]
  readonly address: Address
  /** Name of an internal function by its entry in the code; undefined if there is none. */
  readonly functionAt?: (entry: number) => string | undefined
  /** Whether the frame creates a contract. Its values of internal functions have its own entries in the upper 32 of 64 bits. */
  readonly isCreation?: boolean
}

/** A place in the storage. */
export interface StoredPlace {
  readonly address: Address
  readonly slot: Hash
  /** Position of the lowest byte, counted from the lowest byte of the slot. */
  readonly offset: number
  readonly bytes: number
}

/** A value at one moment. */
export interface Value {
  /** As in Solidity, with the location of a reference: `struct Shop.Order memory`. */
  readonly type: string
  /** Shortened for structs and arrays. */
  readonly text: string
  /** Text of a struct or an array in about this number of characters. */
  readonly preview?: (room: number) => string
  /** Of a value type: the clean word, as on the stack; that of an external function is its address and its selector. */
  readonly word?: bigint
  /** The elementary type of the word: of a user-defined value type the underlying one, else the type. */
  readonly encoding?: string
  /** Of a literal number, which can exceed a word. */
  readonly constant?: bigint
  /** The content of a text or of bytes. */
  readonly content?: Uint8Array
  /** Members, the first items, or the known keys of a mapping. The names of items and keys have brackets: `[0]`. */
  readonly parts?: () => readonly Part[]
  /** Number of members, of all items or bytes, or of known keys. */
  readonly count?: number | undefined
  /** The item with an index, or the value of a key; undefined if there is none, or if the key has the wrong type. */
  readonly at?: (key: Value) => Value | UnknownValue | undefined
  readonly stored?: StoredPlace | undefined
}

export type Part = readonly [name: string, value: Value | UnknownValue]

/** A value that is not known, and the reason. */
export interface UnknownValue {
  readonly type?: string
  readonly unknown: string
}

/** Whether a value is not known. */
export const isUnknown = (value: Value | UnknownValue): value is UnknownValue => 'unknown' in value
