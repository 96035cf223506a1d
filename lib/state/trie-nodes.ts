/** Nodes of the Merkle Patricia trie and their encodings (Yellow Paper, appendix D). How they change is in trie-edit.ts. */

import { RLP_LIST, RLP_STRING, encodeRlp, rlpSize, rlpSizeOf, writeRlp, writeRlpPrefix } from '../base/rlp.ts'
import { keccak256 } from '../crypto/keccak.ts'
import type { ByteText, Nibbles } from './nibbles.ts'
import { hexPrefix, toByteText, writeByteText } from './nibbles.ts'

/** The end of a path and the value there. */
export interface Leaf<V> extends Referable {
  readonly kind: 'leaf'
  /** The whole key, not what is left of it at this depth: leaves of all versions share it. */
  readonly key: Nibbles
  /** How many nibbles of the key lie above. */
  readonly depth: number
  readonly value: V
}

/** A stretch of path without a fork. */
export interface Extension<V> extends Referable {
  readonly kind: 'extension'
  readonly path: Nibbles
  readonly child: Branch<V>
}

/** A fork into up to sixteen subtries. */
export interface Branch<V> extends Referable {
  readonly kind: 'branch'
  /** One place per nibble. */
  readonly children: Children<V>
  /** Value whose key ends here. */
  readonly leaf: Leaf<V> | undefined
}

/** A node; never changed once made, except for the cached reference. */
export type TrieNode<V> = Leaf<V> | Extension<V> | Branch<V>

/** Subtries of a branch by nibble. */
export type Children<V> = readonly (TrieNode<V> | undefined)[]

/** Bytes of a value as the trie holds it. */
export type EncodeValue<V> = (value: V) => Uint8Array

interface Referable {
  /** How the parent names this node: its encoding if shorter than 32 bytes, else the hash of that. Set at first use. */
  reference: ByteText | undefined
}

/** Length of a hash; shorter references are encodings. */
const HASH_LENGTH = 32

/** A leaf whose key is followed up to a depth. */
export function leafOf<V>(key: Nibbles, depth: number, value: V): Leaf<V> {
  return { kind: 'leaf', key, depth, value, reference: undefined }
}

/** A stretch of path that leads to a branch. */
export function extensionOf<V>(path: Nibbles, child: Branch<V>): Extension<V> {
  return { kind: 'extension', path, child, reference: undefined }
}

/** A fork. */
export function branchOf<V>(children: Children<V>, leaf: Leaf<V> | undefined): Branch<V> {
  return { kind: 'branch', children, leaf, reference: undefined }
}

/** RLP of a node, in which its children are named by reference. */
export function encodeNode<V>(node: TrieNode<V>, encode: EncodeValue<V>): Uint8Array {
  switch (node.kind) {
    case 'leaf':
      return encodeRlp([hexPrefix(node.key, node.depth, true), encode(node.value)])
    case 'extension':
      return encodeExtension(node, encode)
    case 'branch':
      return encodeBranch(node, encode)
  }
}

/** How a parent names the node; computed once. */
export function referenceOf<V>(node: TrieNode<V>, encode: EncodeValue<V>): ByteText {
  if (node.reference !== undefined) return node.reference
  const encoded = encodeNode(node, encode)
  node.reference = toByteText(encoded.length < HASH_LENGTH ? encoded : keccak256(encoded))
  return node.reference
}

/** Whether the reference is a hash, so that the node stands alone in a proof. */
export function isHashReference(reference: ByteText): boolean {
  return reference.length === HASH_LENGTH
}

function encodeExtension<V>(node: Extension<V>, encode: EncodeValue<V>): Uint8Array {
  const path = hexPrefix(node.path, 0, false)
  const reference = referenceOf(node.child, encode)
  const payload = rlpSize(path) + referenceSize(reference)
  const output = new Uint8Array(rlpSizeOf(payload))
  const start = writeRlpPrefix(output, 0, RLP_LIST, payload)
  writeReference(output, writeRlp(output, start, path), reference)
  return output
}

function encodeBranch<V>(node: Branch<V>, encode: EncodeValue<V>): Uint8Array {
  const value = node.leaf === undefined ? undefined : encode(node.leaf.value)
  let payload = value === undefined ? 1 : rlpSize(value)
  for (const child of node.children)
    payload += child === undefined ? 1 : referenceSize(referenceOf(child, encode))
  const output = new Uint8Array(rlpSizeOf(payload))
  let offset = writeRlpPrefix(output, 0, RLP_LIST, payload)
  for (const child of node.children) {
    if (child === undefined) output[offset++] = RLP_STRING
    else offset = writeReference(output, offset, referenceOf(child, encode))
  }
  if (value === undefined) output[offset] = RLP_STRING
  else writeRlp(output, offset, value)
  return output
}

function referenceSize(reference: ByteText): number {
  return isHashReference(reference) ? 1 + HASH_LENGTH : reference.length
}

/** Writes a hash as a byte string, a short encoding as it is. */
function writeReference(output: Uint8Array, offset: number, reference: ByteText): number {
  const start = isHashReference(reference) ? writeRlpPrefix(output, offset, RLP_STRING, HASH_LENGTH) : offset
  return writeByteText(output, start, reference)
}
