/**
 * An immutable binary trie, which hashes the state and the block lists of some networks (node-chain 12). A change
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
    const last = this.#nodesAlong(path).at(-1)
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

  /** The trie without all keys that start with `prefix`. */
  deleteAll(prefix: Uint8Array): BinaryTrie {
    return this.#root === undefined ? this : new BinaryTrie(removeAll(this.#root, toBits(prefix)))
  }

  /** The root hash. Nodes that an earlier call has hashed are not hashed again. */
  hash(): Uint8Array {
    return this.#root === undefined ? EMPTY_TRIE_HASH : hashOfNode(this.#root)
  }

  /** Serialized nodes from the root towards the key, including those embedded in their parents. */
  prove(key: Uint8Array): Uint8Array[] {
    return this.#nodesAlong(toBits(key)).map(({ node }) => encodeBinaryNode(node))
  }

  /** The nodes along a path, each with the length of the path to its end. */
  #nodesAlong(path: string): readonly { readonly node: BinaryNode; readonly depth: number }[] {
    const nodes: { readonly node: BinaryNode; readonly depth: number }[] = []
    let node = this.#root
    let rest = path
    while (node !== undefined && rest.startsWith(node.path)) {
      nodes.push({ node, depth: path.length - rest.length + node.path.length })
      const next = rest.length > node.path.length ? childOn(node, rest) : undefined
      rest = rest.slice(node.path.length + 1)
      node = next
    }
    return nodes
  }
}
