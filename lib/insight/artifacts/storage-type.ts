/** State variables and their types, with sizes (Solidity documentation, "Layout of State Variables in Storage"). */

/** A state variable, or a member of a struct. */
export interface StorageVariable {
  readonly label: string
  /** Relative to that of the struct for a member. */
  readonly slot: bigint
  /** Position of its lowest byte, counted from the lowest byte of the slot. */
  readonly offset: number
  readonly type: StorageType
}

/** State variables with their places, in the order of their declaration. */
export type StorageLayout = readonly StorageVariable[]

interface AnyStorageType {
  /** As in Solidity, such as `struct Shop.Item[]`. */
  readonly label: string
  /** Number of bytes in a slot; 32 for what begins a slot of its own. */
  readonly bytes: number
  readonly slots: bigint
}

/** A value that lies within one slot. */
export interface StorageValue extends AnyStorageType {
  readonly kind: 'value'
  /** The type that determines its text: that of which the user has defined another one, such as `uint128`. */
  readonly encoding: string
  /** Names of the values of an enum. */
  readonly names?: readonly string[]
}

/** Bytes or text of any length. */
export interface StorageBytes extends AnyStorageType {
  readonly kind: 'bytes'
}

/** A mapping. */
export interface StorageMapping extends AnyStorageType {
  readonly kind: 'mapping'
  readonly key: () => StorageType | undefined
  readonly value: () => StorageType | undefined
}

/** An array; without a count if it is dynamic. */
export interface StorageArray extends AnyStorageType {
  readonly kind: 'array'
  readonly base: () => StorageType | undefined
  readonly count: bigint | undefined
}

/** A struct. */
export interface StorageStruct extends AnyStorageType {
  readonly kind: 'struct'
  readonly members: StorageLayout
}

/** A type of state variables. */
export type StorageType = StorageValue | StorageBytes | StorageMapping | StorageArray | StorageStruct

/** Number of values of a type that share a slot. */
export const itemsPerSlot = ({ bytes }: StorageType): bigint => BigInt(Math.floor(32 / bytes))
