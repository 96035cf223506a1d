/**
 * An immutable binary trie, which hashes the state and the lists of blocks of some networks (node-chain 12). A change
 * copies the path to the changed value and shares the rest.
 */

import { childOn, insert, remove, removeAll } from './binary-trie-edit.ts'
import { encodeBinaryNode, hashOfNode } from './binary-trie-node.ts'
import type { BinaryNode } from './binary-trie-node.ts'
import { toBits } from './bits.ts'
import { EMPTY_TRIE_HASH } from './trie.ts'

/** A map from byte strings to byte strings with a hash over its content. */
export class BinaryTrie {
  /** The trie without entries. */
  static readonly empty = new BinaryTrie(undefined)

  readonly #root: BinaryNode | undefined

  private constructor(root: BinaryNode | undefined) {
    this.#root = root
  }

  /** The value at the key. */
  get(key: Uint8Array): Uint8Array | undefined {
    const path = toBits(key)
    const last = this.#way(path).at(-1)
    return last?.depth === path.length ? last.node.value : undefined
  }

  /** The trie with the value at the key; without the key when the value is empty. */
  put(key: Uint8Array, value: Uint8Array): BinaryTrie {
    return value.length === 0 ? this.delete(key) : new BinaryTrie(insert(this.#root, toBits(key), value))
  }

  /** The trie without the key. */
  delete(key: Uint8Array): BinaryTrie {
    return this.#root === undefined ? this : new BinaryTrie(remove(this.#root, toBits(key)))
  }

  /** The trie without any key that begins like this. */
  deleteAll(beginning: Uint8Array): BinaryTrie {
    return this.#root === undefined ? this : new BinaryTrie(removeAll(this.#root, toBits(beginning)))
  }

  /** The root hash. Only nodes that no earlier call has hashed are hashed. */
  hash(): Uint8Array {
    return this.#root === undefined ? EMPTY_TRIE_HASH : hashOfNode(this.#root)
  }

  /** Serialized nodes from the root towards the key, those that are inside their parents too. */
  prove(key: Uint8Array): Uint8Array[] {
    return this.#way(toBits(key)).map(({ node }) => encodeBinaryNode(node))
  }

  /** Nodes towards the end of a path, and how much of it each has followed. */
  #way(path: string): readonly { readonly node: BinaryNode; readonly depth: number }[] {
    const way: { readonly node: BinaryNode; readonly depth: number }[] = []
    let node = this.#root
    let rest = path
    while (node !== undefined && rest.startsWith(node.path)) {
      way.push({ node, depth: path.length - rest.length + node.path.length })
      const next = rest.length > node.path.length ? childOn(node, rest) : undefined
      rest = rest.slice(node.path.length + 1)
      node = next
    }
    return way
  }
}
