/** Estimates how much memory the nodes of a trie take. */

import type { TrieNode } from './trie-nodes.ts'

/** Bytes of the objects of V8: a leaf with the text of its key, an extension, a branch with the array of its children. */
const LEAF_BYTES = 220
const EXTENSION_BYTES = 180
const BRANCH_BYTES = 310

/** Nodes after which a trie is not walked further. Keys are hashes, so the rest is like what was walked. */
const MAX_NODES = 20_000

/** Bytes of a value of which an earlier version has another value, or none. */
export type SizeOfValue<V> = (value: V, earlier: V | undefined) => number

/** Bytes of the nodes that another version of the trie does not have. */
export function sizeBeyond<V>(
  root: TrieNode<V> | undefined,
  other: TrieNode<V> | undefined,
  sizeOfValue: SizeOfValue<V>,
): number {
  let walked = 0
  const sizeOf = (node: TrieNode<V> | undefined, before: TrieNode<V> | undefined): number => {
    if (node === undefined || node === before) return 0
    walked++
    if (node.kind === 'leaf') {
      const earlier = before?.kind === 'leaf' && before.key === node.key ? before.value : undefined
      return LEAF_BYTES + (earlier === node.value ? 0 : sizeOfValue(node.value, earlier))
    }
    if (node.kind === 'extension')
      return EXTENSION_BYTES + sizeOf(node.child, before?.kind === 'extension' ? before.child : undefined)
    const others = before?.kind === 'branch' ? before.children : []
    let bytes = BRANCH_BYTES + sizeOf(node.leaf, undefined)
    for (const [index, child] of node.children.entries()) {
      if (walked > MAX_NODES && index > 0) return (bytes * node.children.length) / index
      bytes += sizeOf(child, others[index])
    }
    return bytes
  }
  return sizeOf(root, other)
}
