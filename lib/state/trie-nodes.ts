/** Nodes of the Merkle Patricia trie and their encodings (Yellow Paper, appendix D). Changes are in trie-edit.ts. */

import { EMPTY_BYTES } from '../base/hex.ts'
import {
  RLP_LIST,
  RLP_STRING,
  payloadSize,
  rlpSize,
  rlpSizeOf,
  writeRlp,
  writeRlpItems,
  writeRlpPrefix,
} from '../base/rlp.ts'
import type { Nibbles } from './nibbles.ts'
import { hexPrefix } from './nibbles.ts'
import { Referable } from './node-reference.ts'

/** A leaf node: the end of a path and its value. */
export class Leaf<V> extends Referable {
  readonly kind = 'leaf'
  /** The whole key instead of its rest at this depth, so that leaves of all versions share it. */
  readonly key: Nibbles
  /** Number of nibbles of the key above this node. */
  readonly depth: number
  readonly value: V

  constructor(key: Nibbles, depth: number, value: V) {
    super()
    this.key = key
    this.depth = depth
    this.value = value
  }
}

/** An extension node: a path without a fork. */
export class Extension<V> extends Referable {
  readonly kind = 'extension'
  readonly path: Nibbles
  readonly child: Branch<V>

  constructor(path: Nibbles, child: Branch<V>) {
    super()
    this.path = path
    this.child = child
  }
}

/** A branch node: a fork into up to sixteen subtries. */
export class Branch<V> extends Referable {
  readonly kind = 'branch'
  /** One element per nibble. */
  readonly children: Children<V>
  /** Value of the key that ends here. */
  readonly leaf: Leaf<V> | undefined

  constructor(children: Children<V>, leaf: Leaf<V> | undefined) {
    super()
    this.children = children
    this.leaf = leaf
  }
}

/** A node; immutable except for the cached reference. */
export type TrieNode<V> = Leaf<V> | Extension<V> | Branch<V>

/** Subtries of a branch by nibble. */
export type Children<V> = readonly (TrieNode<V> | undefined)[]

/** Encodes a value of the trie. */
export type EncodeValue<V> = (value: V) => Uint8Array

/** RLP of a node with references to its children. */
export function encodeNode<V>(node: TrieNode<V>, encode: EncodeValue<V>): Uint8Array {
  return encodeInPlace(node, encode).slice()
}

/** The node after its reference is computed. */
export function withReference<V>(node: TrieNode<V>, encode: EncodeValue<V>): TrieNode<V> {
  if (node.referenceSize === 0) node.setReference(encodeInPlace(node, encode))
  return node
}

/** RLP of a node in a shared buffer, valid until the next call. Most encodings are only hashed. */
function encodeInPlace<V>(node: TrieNode<V>, encode: EncodeValue<V>): Uint8Array {
  switch (node.kind) {
    case 'leaf':
      return encodeLeaf(node, encode)
    case 'extension':
      return encodeExtension(node, encode)
    case 'branch':
      return encodeBranch(node, encode)
  }
}

function encodeLeaf<V>({ key, depth, value }: Leaf<V>, encode: EncodeValue<V>): Uint8Array {
  const items = [hexPrefix(key, depth, true), encode(value)]
  const payload = payloadSize(items)
  const { bytes } = outputOf(rlpSizeOf(payload))
  return bytes.subarray(0, writeRlpItems(bytes, 0, items, payload))
}

function encodeExtension<V>({ path, child }: Extension<V>, encode: EncodeValue<V>): Uint8Array {
  const prefix = hexPrefix(path, 0, false)
  const payload = rlpSize(prefix) + withReference(child, encode).referenceSize
  const { bytes, view } = outputOf(rlpSizeOf(payload))
  const start = writeRlpPrefix(bytes, 0, RLP_LIST, payload)
  return bytes.subarray(0, child.writeReference(view, writeRlp(bytes, start, prefix)))
}

function encodeBranch<V>({ children, leaf }: Branch<V>, encode: EncodeValue<V>): Uint8Array {
  const value = leaf === undefined ? EMPTY_BYTES : encode(leaf.value)
  let payload = rlpSize(value)
  // The references come first, because all nodes are encoded in the same buffer.
  for (const child of children)
    payload += child === undefined ? 1 : withReference(child, encode).referenceSize
  const { bytes, view } = outputOf(rlpSizeOf(payload))
  let offset = writeRlpPrefix(bytes, 0, RLP_LIST, payload)
  for (const child of children) {
    if (child === undefined) bytes[offset++] = RLP_STRING
    else offset = child.writeReference(view, offset)
  }
  return bytes.subarray(0, writeRlp(bytes, offset, value))
}

/** A buffer for the encoding of a node. */
interface NodeBuffer {
  readonly bytes: Uint8Array
  readonly view: DataView
}

function newOutput(size: number): NodeBuffer {
  const bytes = new Uint8Array(size)
  return { bytes, view: new DataView(bytes.buffer) }
}

/** Large enough for a leaf with a transaction that creates a contract of the maximum size (EIP-3860). */
const SCRATCH = newOutput(2 ** 16)

const outputOf = (size: number): NodeBuffer => (size <= SCRATCH.bytes.length ? SCRATCH : newOutput(size))
