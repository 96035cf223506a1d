/** Inserts into and deletes from a trie. Nodes on the path are copied, all others are shared with the old trie. */

import { getOrAdd } from '../base/get-or-add.ts'
import { invariant, present } from '../base/invariant.ts'
import { firstDifference, nibbleAt, type Nibbles } from './nibbles.ts'
import { Branch, Extension, Leaf, type Children, type TrieNode } from './trie-nodes.ts'

/** A key and its value. */
export interface Entry<V> {
  readonly key: Nibbles
  readonly value: V
}

const NO_CHILDREN: Children<never> = new Array<undefined>(16).fill(undefined)

/** The subtrie at a depth with the value at the key. */
export function insert<V>(node: TrieNode<V> | undefined, entry: Entry<V>, depth: number): TrieNode<V> {
  if (node === undefined) return leafOf(entry, depth)
  switch (node.kind) {
    case 'leaf':
      // Reuses the key of the old leaf, so that versions share one string.
      if (node.key === entry.key) return new Leaf(node.key, depth, entry.value)
      return insertBesideLeaf(node, entry, depth)
    case 'extension':
      return insertIntoExtension(node, entry, depth)
    case 'branch':
      return insertIntoBranch(node, entry, depth)
  }
}

/**
 * The subtrie at a depth with all entries, whose keys differ. A branch is copied once for all entries below it, and not once for each.
 */
export function insertAll<V>(
  node: TrieNode<V> | undefined,
  entries: readonly Entry<V>[],
  depth: number,
): TrieNode<V> | undefined {
  const [first, ...others] = entries
  if (first === undefined) return node
  if (node?.kind !== 'branch') return insertAll(insert(node, first, depth), others, depth)
  const below = new Map<number, Entry<V>[]>()
  for (const entry of entries) getOrAdd(below, nibbleAt(entry.key, depth), () => []).push(entry)
  const children = node.children.slice()
  for (const [nibble, some] of below) children[nibble] = insertAll(children[nibble], some, depth + 1)
  return new Branch(children)
}

/** The subtrie without the key: the same object if the key is absent, `undefined` if no node is left. */
export function remove<V>(node: TrieNode<V>, key: Nibbles, depth: number): TrieNode<V> | undefined {
  switch (node.kind) {
    case 'leaf':
      return node.key === key ? undefined : node
    case 'extension':
      return removeFromExtension(node, key, depth)
    case 'branch':
      return removeFromBranch(node, key, depth)
  }
}

function insertBesideLeaf<V>(old: Leaf<V>, entry: Entry<V>, depth: number): TrieNode<V> {
  const fork = firstDifference(old.key, entry.key, depth)
  const half = insertIntoBranch(new Branch<V>(NO_CHILDREN), old, fork)
  return prepend(entry.key.slice(depth, fork), insertIntoBranch(half, entry, fork), depth)
}

function insertIntoExtension<V>(node: Extension<V>, entry: Entry<V>, depth: number): TrieNode<V> {
  const end = depth + node.path.length
  if (entry.key.startsWith(node.path, depth))
    return new Extension(node.path, insertIntoBranch(node.child, entry, end))
  const shared = firstDifference(node.path, entry.key.slice(depth, end), 0)
  const rest = prepend(node.path.slice(shared + 1), node.child, depth + shared + 1)
  const half = new Branch(replaceAt<V>(NO_CHILDREN, nibbleAt(node.path, shared), rest))
  return prepend(node.path.slice(0, shared), insertIntoBranch(half, entry, depth + shared), depth)
}

function insertIntoBranch<V>(node: Branch<V>, entry: Entry<V>, depth: number): Branch<V> {
  const nibble = nibbleAt(entry.key, depth)
  return new Branch(replaceAt(node.children, nibble, insert(node.children[nibble], entry, depth + 1)))
}

function removeFromExtension<V>(node: Extension<V>, key: Nibbles, depth: number): TrieNode<V> | undefined {
  if (!key.startsWith(node.path, depth)) return node
  const child = removeFromBranch(node.child, key, depth + node.path.length)
  return child === node.child ? node : prepend(node.path, child, depth)
}

function removeFromBranch<V>(node: Branch<V>, key: Nibbles, depth: number): TrieNode<V> {
  const nibble = nibbleAt(key, depth)
  const child = node.children[nibble]
  if (child === undefined) return node
  const rest = remove(child, key, depth + 1)
  return rest === child ? node : collapse(new Branch(replaceAt(node.children, nibble, rest)), depth)
}

/** Replaces a branch with a single child by a node without a fork. */
function collapse<V>(node: Branch<V>, depth: number): TrieNode<V> {
  const first = node.children.findIndex((child) => child !== undefined)
  if (node.children.findLastIndex((child) => child !== undefined) !== first) return node
  return prepend(first.toString(16), present(node.children[first], 'last child of a branch'), depth)
}

/** The node below a path that begins at the depth. */
function prepend<V>(path: Nibbles, node: TrieNode<V>, depth: number): TrieNode<V> {
  switch (node.kind) {
    case 'leaf':
      return node.depth === depth ? node : leafOf(node, depth)
    case 'extension':
      return new Extension(path + node.path, node.child)
    case 'branch':
      return path.length === 0 ? node : new Extension(path, node)
  }
}

function leafOf<V>({ key, value }: Entry<V>, depth: number): Leaf<V> {
  invariant(depth <= key.length, 'a key of the trie is the beginning of another')
  return new Leaf(key, depth, value)
}

function replaceAt<V>(children: Children<V>, nibble: number, child: TrieNode<V> | undefined): Children<V> {
  const copy = children.slice()
  copy[nibble] = child
  return copy
}
