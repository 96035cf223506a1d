/**
 * An immutable Merkle Patricia trie. A change copies the path to the changed leaf and shares the rest, so that old roots
 * stay readable and the garbage collector frees unreachable nodes. Leaves contain decoded values.
 */

import { EMPTY_BYTES, fromHex, bigIntToBytes } from '../base/hex.ts'
import { encodeRlp, encodeRlpInPlace } from '../base/rlp.ts'
import { keccak256 } from '../crypto/keccak.ts'
import { hexPrefix, toNibbles, type Nibbles, type TrieKey } from './nibbles.ts'
import { insert, insertAll, remove, type Entry } from './trie-edit.ts'
import { differencesBetween, entriesOf, find, type LeafChange } from './trie-walk.ts'
import { encodeNode, withReference, type EncodeValue, type TrieNode } from './trie-nodes.ts'

/** Hash of a trie without entries: keccak256(RLP of no bytes). */
export const EMPTY_TRIE_HASH = fromHex('0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421')

/**
 * A map from byte strings to values with a hash over its content. No key is the beginning of another: keys are hashes of one
 * length, or encoded numbers.
 */
export class Trie<V> {
  readonly #root: TrieNode<V> | undefined
  readonly #encode: EncodeValue<V>

  /** A trie, by default without entries. The encoding of a value has at least one byte. */
  constructor(encode: EncodeValue<V>, root?: TrieNode<V>) {
    this.#encode = encode
    this.#root = root
  }

  get isEmpty(): boolean {
    return this.#root === undefined
  }

  get(key: TrieKey): V | undefined {
    return find(this.#root, toNibbles(key))
  }

  put(key: TrieKey, value: V): Trie<V> {
    return new Trie(this.#encode, insert(this.#root, { key: toNibbles(key), value }, 0))
  }

  /** The same as `put` for each entry. No two have the same key. */
  putAll(entries: readonly Entry<V>[]): Trie<V> {
    return entries.length === 0 ? this : new Trie(this.#encode, insertAll(this.#root, entries, 0))
  }

  /** The trie without the key; the same object if the key is absent. */
  delete(key: TrieKey): Trie<V> {
    if (this.#root === undefined) return this
    const root = remove(this.#root, toNibbles(key), 0)
    return root === this.#root ? this : new Trie(this.#encode, root)
  }

  /** The root hash. Nodes that an earlier call has hashed are not hashed again. */
  hash(): Uint8Array {
    if (this.#root === undefined) return EMPTY_TRIE_HASH
    return withReference(this.#root, this.#encode).hash()
  }

  /**
   * Merkle proof of the key's value or absence: encoded nodes from the root on; empty for the empty trie.
   * Nodes shorter than a hash are inside their parents and not listed separately.
   */
  prove(key: TrieKey): Uint8Array[] {
    const proof: Uint8Array[] = []
    find(this.#root, toNibbles(key), (node) => {
      if (node === this.#root || withReference(node, this.#encode).isHashed)
        proof.push(encodeNode(node, this.#encode))
    })
    return proof
  }

  /** The proof of a key, and the nodes that a removal of the key can merge with: the children of the branches on its path. */
  proveRemoval(key: TrieKey): Uint8Array[] {
    const proof = this.prove(key)
    find(this.#root, toNibbles(key), (node) => {
      if (node.kind !== 'branch') return
      for (const child of node.children)
        if (child !== undefined && withReference(child, this.#encode).isHashed)
          proof.push(encodeNode(child, this.#encode))
    })
    return proof
  }

  /** The differences from an earlier version of this trie, in time proportional to their number. */
  changesSince(earlier: Trie<V>): IterableIterator<LeafChange<V>> {
    return differencesBetween(earlier.#root, this.#root)
  }

  /** Keys and values in the order of the keys, from the first key at or above `start`. */
  *entries(start?: Uint8Array): IterableIterator<[key: Uint8Array, value: V]> {
    const from: Nibbles = start === undefined ? '' : toNibbles(start)
    for (const leaf of entriesOf(this.#root, from)) yield [fromHex(`0x${leaf.key}`), leaf.value]
  }
}

/** Root hash of a list. */
export function orderedRoot(values: readonly Uint8Array[]): Uint8Array {
  const [first = EMPTY_BYTES] = values
  // Most blocks have one transaction: the trie is then a leaf.
  return values.length === 1 ? keccak256(encodeRlpInPlace([FIRST_PATH, first])) : orderedTrie(values).hash()
}

/** Merkle proof of a list item: encoded nodes from the root to the value at an index. */
export const orderedProof = (values: readonly Uint8Array[], index: number): Uint8Array[] =>
  orderedTrie(values).prove(indexKey(index))

const EMPTY_LIST = new Trie((value: Uint8Array) => value)

const orderedTrie = (values: readonly Uint8Array[]): Trie<Uint8Array> =>
  values.reduce((trie, value, index) => trie.put(indexKey(index), value), EMPTY_LIST)

const indexKey = (index: number): Uint8Array => encodeRlp(bigIntToBytes(BigInt(index)))

/** The path of the only item of a list. */
const FIRST_PATH = hexPrefix(toNibbles(indexKey(0)), 0, true)
