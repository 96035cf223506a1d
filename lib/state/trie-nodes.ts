/** Nodes of the Merkle Patricia trie and their encodings (Yellow Paper, appendix D). How they change is in trie-edit.ts. */

import { RLP_LIST, RLP_STRING, encodeRlp, rlpSize, rlpSizeOf, writeRlp, writeRlpPrefix } from '../base/rlp.ts'
import { keccak256 } from '../crypto/keccak.ts'
import type { ByteText, Nibbles } from './nibbles.ts'
import { fromByteText, hexPrefix, toByteText, writeByteText } from './nibbles.ts'

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
  /** The item that stands for this node in its parent: its encoding if shorter than 32 bytes, else RLP of the hash of that. Set at first use. */
  reference: ByteText | undefined
}

/** Length of a hash. */
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
      return new Uint8Array(encodeBranch(node, encode))
  }
}

/** The item that stands for the node in its parent; computed once. */
export function referenceOf<V>(node: TrieNode<V>, encode: EncodeValue<V>): ByteText {
  if (node.reference !== undefined) return node.reference
  const encoded = node.kind === 'branch' ? encodeBranch(node, encode) : encodeNode(node, encode)
  node.reference = toByteText(encoded.length < HASH_LENGTH ? encoded : encodeRlp(keccak256(encoded)))
  return node.reference
}

/** Whether the reference has the hash of the node, so that the node stands alone in a proof. */
export function isHashReference(reference: ByteText): boolean {
  return reference.length > HASH_LENGTH
}

/** The hash in a reference that has one. */
export function hashIn(reference: ByteText): Uint8Array {
  return fromByteText(reference.slice(1))
}

function encodeExtension<V>(node: Extension<V>, encode: EncodeValue<V>): Uint8Array {
  const path = hexPrefix(node.path, 0, false)
  const reference = referenceOf(node.child, encode)
  const payload = rlpSize(path) + reference.length
  const output = new Uint8Array(rlpSizeOf(payload))
  const start = writeRlpPrefix(output, 0, RLP_LIST, payload)
  writeByteText(output, writeRlp(output, start, path), reference)
  return output
}

/** RLP of a branch, to be read before the next one is encoded: most are hashed and dropped. */
function encodeBranch<V>({ children, leaf }: Branch<V>, encode: EncodeValue<V>): Uint8Array {
  const items = children.map((child) => (child === undefined ? EMPTY_ITEM : referenceOf(child, encode)))
  items.push(leaf === undefined ? EMPTY_ITEM : toByteText(encodeRlp(encode(leaf.value))))
  // As text: joining strings takes a quarter of the time of copying their bytes.
  const text = items.join('')
  const length = rlpSizeOf(text.length)
  const output = length <= SCRATCH.length ? SCRATCH : Buffer.alloc(length)
  output.write(text, writeRlpPrefix(output, 0, RLP_LIST, text.length), 'latin1')
  return output.subarray(0, length)
}

/** Room for a branch of sixteen hashes and a short value. */
const SCRATCH = Buffer.alloc(1024)

/** No bytes, as an item of a list. */
const EMPTY_ITEM: ByteText = String.fromCharCode(RLP_STRING)
