/** Inserts into and deletes from a binary trie. Nodes on the path are copied, all others are shared. */

import { equalBytes } from '../base/hex.ts'
import { binaryNode } from './binary-trie-node.ts'
import type { BinaryNode } from './binary-trie-node.ts'
import { sharedLength } from './bits.ts'
import type { Bits } from './bits.ts'

/** The subtrie with the value at the path; the same object if the value is there already. */
export function insert(node: BinaryNode | undefined, path: Bits, value: Uint8Array): BinaryNode {
  if (node === undefined) return binaryNode({ path, value })
  const shared = sharedLength(node.path, path)
  if (shared < node.path.length) return insert(forkAt(node, shared), path, value)
  if (shared === path.length) return isValueOf(node, value) ? node : binaryNode({ ...node, value })
  const before = childOn(node, path)
  const child = insert(before, path.slice(shared + 1), value)
  return child === before ? node : withChild(node, path, child)
}

const isValueOf = ({ value: held }: BinaryNode, value: Uint8Array): boolean =>
  held === value || (held !== undefined && equalBytes(held, value))

/** The subtrie without the value at the path: the same object if there is no value, `undefined` if no node is left. */
export function remove(node: BinaryNode, path: Bits): BinaryNode | undefined {
  if (!path.startsWith(node.path)) return node
  if (path.length > node.path.length) return removeBelow(node, path, remove)
  return node.value === undefined ? node : compact(binaryNode({ ...node, value: undefined }))
}

/** The subtrie without all values whose paths start with `prefix`. */
export function removeAll(node: BinaryNode, prefix: Bits): BinaryNode | undefined {
  if (node.path.startsWith(prefix)) return undefined
  return prefix.startsWith(node.path) ? removeBelow(node, prefix, removeAll) : node
}

/** The child that a path leads to after the path of the node. */
export function childOn({ path, left, right }: BinaryNode, whole: Bits): BinaryNode | undefined {
  return whole[path.length] === '0' ? left : right
}

/** Splits the path of a node into two nodes with the same content. */
function forkAt(node: BinaryNode, at: number): BinaryNode {
  const rest = binaryNode({ ...node, path: node.path.slice(at + 1) })
  return withChild(binaryNode({ path: node.path.slice(0, at) }), node.path, rest)
}

function withChild(node: BinaryNode, whole: Bits, child: BinaryNode | undefined): BinaryNode {
  return binaryNode(whole[node.path.length] === '0' ? { ...node, left: child } : { ...node, right: child })
}

function removeBelow(node: BinaryNode, path: Bits, removal: typeof remove): BinaryNode | undefined {
  const child = childOn(node, path)
  if (child === undefined) return node
  const rest = removal(child, path.slice(node.path.length + 1))
  return rest === child ? node : compact(withChild(node, path, rest))
}

/** Replaces a node that has no value and fewer than two children by its child, or by `undefined`. */
function compact(node: BinaryNode): BinaryNode | undefined {
  const { path, left, right, value } = node
  if (value !== undefined || (left !== undefined && right !== undefined)) return node
  if (left !== undefined) return binaryNode({ ...left, path: `${path}0${left.path}` })
  return right === undefined ? undefined : binaryNode({ ...right, path: `${path}1${right.path}` })
}
