/** Finds the differences between two versions of a trie. Versions share unchanged nodes, which are skipped. */

import type { Nibbles } from './nibbles.ts'
import { entriesOf } from './trie-walk.ts'
import type { Leaf, TrieNode } from './trie-nodes.ts'

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
    // Most leaves and children are the same object: a generator for each of them would take most of the time.
    if (before.leaf !== after.leaf) yield* compared(before.leaf, after.leaf)
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
