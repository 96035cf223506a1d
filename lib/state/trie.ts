/**
 * An immutable Merkle Patricia trie. A change copies the path to the changed leaf and shares the rest, so that old roots
 * stay readable and the garbage collector frees unreachable nodes. Leaves contain decoded values.
 */

import { EMPTY_BYTES, fromHex, bigIntToBytes } from '../base/hex.ts'
import { encodeRlp, encodeRlpInPlace } from '../base/rlp.ts'
import { keccak256 } from '../crypto/keccak.ts'
import {
  hexPrefix,
  toNibbles,
  nibbleAt,
  insert,
  insertAll,
  remove,
  encodeNode,
  withReference,
  type Nibbles,
  type TrieKey,
  type Entry,
  type EncodeValue,
  type TrieNode,
  type Leaf,
} from './trie-nodes.ts'

/** Hash of a trie without entries: keccak256(RLP of no bytes). */
export const EMPTY_TRIE_HASH = fromHex('0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421')

/** A map from byte strings to values, with a hash. No key is a prefix of another: keys are hashes of one length, or encoded numbers. */
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

  /** The same as `put` for each entry. The keys must differ. */
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

  /** The proof of a key, and the nodes that its removal can merge: the children of the branches on its path. */
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

export function orderedRoot(values: readonly Uint8Array[]): Uint8Array {
  const [first = EMPTY_BYTES] = values
  // Most blocks have one transaction, so the trie is a leaf.
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

/** The value at a key. `visit` gets the nodes from the root to the key or its insertion point. */
function find<V>(
  root: TrieNode<V> | undefined,
  key: Nibbles,
  visit?: (node: TrieNode<V>) => void,
): V | undefined {
  let depth = 0
  for (let node = root; node !== undefined;) {
    visit?.(node)
    switch (node.kind) {
      case 'leaf':
        return node.key === key ? node.value : undefined
      case 'extension':
        if (!key.startsWith(node.path, depth)) return undefined
        depth += node.path.length
        node = node.child
        break
      case 'branch':
        node = node.children[nibbleAt(key, depth)]
        depth++
    }
  }
  return undefined
}

/** Leaves in the order of their keys, from the first key at or above `start`. */
function* entriesOf<V>(root: TrieNode<V> | undefined, start: Nibbles): IterableIterator<Leaf<V>> {
  if (root !== undefined) yield* leavesFrom(root, start, '')
}

/** `prefix` is the path above the node. Subtries that contain only keys below `start` are skipped. */
function* leavesFrom<V>(node: TrieNode<V>, start: Nibbles, prefix: Nibbles): IterableIterator<Leaf<V>> {
  switch (node.kind) {
    case 'leaf':
      if (node.key >= start) yield node
      return
    case 'extension':
      yield* leavesFrom(node.child, start, prefix + node.path)
      return
    case 'branch':
      for (const [nibble, child] of node.children.entries()) {
        const path = prefix + nibble.toString(16)
        if (child !== undefined && path >= start.slice(0, path.length)) yield* leavesFrom(child, start, path)
      }
  }
}

/** A key whose value differs. `before` or `after` is absent if that version lacks the key; `known` is the newer of those present. */
export interface LeafChange<V> {
  readonly before: V | undefined
  readonly after: V | undefined
  readonly known: V
}

type Subtrie<V> = TrieNode<V> | undefined

/** Keys whose values are not the same object in both versions, in no particular order. */
function* differencesBetween<V>(before: Subtrie<V>, after: Subtrie<V>): IterableIterator<LeafChange<V>> {
  if (before === after) return
  if (before?.kind === 'branch' && after?.kind === 'branch') {
    // Most children are the same object, and a generator for each of them would take most of the time.
    for (let nibble = 0; nibble < before.children.length; nibble++) {
      const old = before.children[nibble]
      const changed = after.children[nibble]
      if (old !== changed) yield* differencesBetween(old, changed)
    }
  } else if (before?.kind === 'extension' && after?.kind === 'extension' && before.path === after.path) {
    yield* differencesBetween(before.child, after.child)
  } else yield* compared(before, after)
}

/** Compares subtries of different shapes, or two leaves, leaf by leaf. */
function* compared<V>(before: Subtrie<V>, after: Subtrie<V>): IterableIterator<LeafChange<V>> {
  if (before?.kind === 'leaf' && after?.kind === 'leaf' && before.key === after.key) {
    if (before.value !== after.value) yield { before: before.value, after: after.value, known: after.value }
    return
  }
  const old = new Map([...entriesOf(before, '')].map((leaf): [Nibbles, Leaf<V>] => [leaf.key, leaf]))
  for (const { key, value } of entriesOf(after, '')) {
    const former = old.get(key)?.value
    old.delete(key)
    if (former !== value) yield { before: former, after: value, known: value }
  }
  for (const { value } of old.values()) yield { before: value, after: undefined, known: value }
}
