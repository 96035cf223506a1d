/** Builds the tries of lists: transactions, receipts and withdrawals of a block. Keys are the RLP of the indices. */

import { bigIntToBytes } from '../base/hex.ts'
import { encodeRlp } from '../base/rlp.ts'
import { Trie } from './trie.ts'

/** Root hash of a list. */
export function orderedRoot(values: readonly Uint8Array[]): Uint8Array {
  return orderedTrie(values).hash()
}

/** Merkle proof of a list item: encoded nodes from the root to the value at an index. */
export function orderedProof(values: readonly Uint8Array[], index: number): Uint8Array[] {
  return orderedTrie(values).prove(indexKey(index))
}

const EMPTY_LIST = Trie.empty((value: Uint8Array) => value)

const orderedTrie = (values: readonly Uint8Array[]): Trie<Uint8Array> =>
  values.reduce((trie, value, index) => trie.put(indexKey(index), value), EMPTY_LIST)

const indexKey = (index: number): Uint8Array => encodeRlp(bigIntToBytes(BigInt(index)))
