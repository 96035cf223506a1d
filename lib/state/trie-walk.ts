/** Reads a trie: searches a key, lists the leaves in order, and compares two versions. */

import { nibbleAt, type Nibbles } from './nibbles.ts'
import type { Leaf, TrieNode } from './trie-nodes.ts'

/** The value at a key. `visit` gets the nodes from the root to the key, or to the place where it would be inserted. */
export function find<V>(
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
export function* entriesOf<V>(root: TrieNode<V> | undefined, start: Nibbles): IterableIterator<Leaf<V>> {
  if (root !== undefined) yield* leavesFrom(root, start, '')
}

/** `prefix` is the path above the node. Subtries with keys below `start` only are skipped. */
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

/** A key whose value differs. `before` or `after` is absent if that version lacks the key. */
export interface LeafChange<V> {
  readonly key: Nibbles
  readonly before: V | undefined
  readonly after: V | undefined
}

type Subtrie<V> = TrieNode<V> | undefined

/** Keys whose values are not the same object in both versions, in no particular order. */
export function* differencesBetween<V>(
  before: Subtrie<V>,
  after: Subtrie<V>,
): IterableIterator<LeafChange<V>> {
  if (before === after) return
  if (before?.kind === 'branch' && after?.kind === 'branch') {
    // Most children are the same object: a generator for each of them would take most of the time.
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
    if (before.value !== after.value) yield { key: after.key, before: before.value, after: after.value }
    return
  }
  const old = new Map([...entriesOf(before, '')].map((leaf): [Nibbles, Leaf<V>] => [leaf.key, leaf]))
  for (const { key, value } of entriesOf(after, '')) {
    const former = old.get(key)?.value
    old.delete(key)
    if (former !== value) yield { key, before: former, after: value }
  }
  for (const { key, value } of old.values()) yield { key, before: value, after: undefined }
}
