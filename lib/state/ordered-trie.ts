/** Builds the tries of lists: transactions, receipts and withdrawals of a block. Keys are the RLP of the indices. */

import { bigIntToBytes } from '../base/hex.ts'
import { encodeRlp } from '../base/rlp.ts'
import { BinaryTrie } from './binary-trie.ts'
import { Trie } from './trie.ts'

/** The kind of trie that a network uses for its state and its lists. */
export type TrieKind = 'merkle-patricia' | 'binary'

/** Root hash of a list. */
export function orderedRoot(values: readonly Uint8Array[], kind: TrieKind): Uint8Array {
  return orderedTrie(values, kind).hash()
}

/** Merkle proof of a list item: encoded nodes from the root to the value at an index. */
export function orderedProof(values: readonly Uint8Array[], index: number, kind: TrieKind): Uint8Array[] {
  return orderedTrie(values, kind).prove(indexKey(index))
}

function orderedTrie(values: readonly Uint8Array[], kind: TrieKind): BinaryTrie | Trie<Uint8Array> {
  const add = <T extends { put: (key: Uint8Array, value: Uint8Array) => T }>(trie: T): T =>
    values.reduce((filled, value, index) => filled.put(indexKey(index), value), trie)
  return kind === 'binary' ? add(BinaryTrie.empty) : add(Trie.empty((value: Uint8Array) => value))
}

const indexKey = (index: number): Uint8Array => encodeRlp(bigIntToBytes(BigInt(index)))
