/** How values lie in bytes: in the memory, and in the encoding of the ABI. */

import type { StorageType } from '../../artifacts/storage-layout.ts'

/** Places of values in bytes. */
export interface ByteLayout {
  readonly location: 'memory' | 'calldata'
  /** Bytes of a value, or of the word that points to it, in the sequence of members, items or parameters. */
  readonly headSize: (type: StorageType) => number
  /** Whether such a word points to a value. */
  readonly isPointed: (type: StorageType) => boolean
  /** Where the word points to, in a sequence that begins at a position. */
  readonly target: (word: bigint, start: number) => bigint
}

/** Every value has a word, which is a pointer for references (Solidity documentation, "Layout in Memory"). */
export const MEMORY: ByteLayout = {
  location: 'memory',
  headSize: () => 32,
  isPointed: ({ kind }) => kind !== 'value',
  target: (word) => word,
}

/** Values of variable length are behind the sequence, which has their offsets (Contract ABI Specification). */
export const ENCODED: ByteLayout = {
  location: 'calldata',
  headSize: encodedSize,
  isPointed: isDynamic,
  target: (word, start) => BigInt(start) + word,
}

function isDynamic(type: StorageType): boolean {
  if (type.kind === 'struct') return type.members.some((member) => isDynamic(member.type))
  if (type.kind !== 'array') return type.kind === 'bytes'
  const base = type.count === undefined ? undefined : type.base()
  return base === undefined || isDynamic(base)
}

function encodedSize(type: StorageType): number {
  if (isDynamic(type)) return 32
  if (type.kind === 'struct') return type.members.reduce((size, member) => size + encodedSize(member.type), 0)
  const base = type.kind === 'array' ? type.base() : undefined
  return base === undefined || type.kind !== 'array' ? 32 : Number(type.count) * encodedSize(base)
}
