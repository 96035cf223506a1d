/** Nodes of the Merkle Patricia trie and their encodings (Yellow Paper, appendix D). How they change is in trie-edit.ts. */

import { EMPTY_BYTES } from '../base/hex.ts'
import { RLP_LIST, RLP_STRING, rlpSize, rlpSizeOf, writeRlp, writeRlpPrefix } from '../base/rlp.ts'
import type { Nibbles } from './nibbles.ts'
import { hexPrefix } from './nibbles.ts'
import { Referable } from './node-reference.ts'

/** The end of a path and the value there. */
export class Leaf<V> extends Referable {
  readonly kind = 'leaf'
  /** The whole key, not what is left of it at this depth: leaves of all versions share it. */
  readonly key: Nibbles
  /** How many nibbles of the key lie above. */
  readonly depth: number
  readonly value: V

  constructor(key: Nibbles, depth: number, value: V) {
    super()
    this.key = key
    this.depth = depth
    this.value = value
  }
}

/** A stretch of path without a fork. */
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

/** A fork into up to sixteen subtries. */
export class Branch<V> extends Referable {
  readonly kind = 'branch'
  /** One place per nibble. */
  readonly children: Children<V>
  /** Value whose key ends here. */
  readonly leaf: Leaf<V> | undefined

  constructor(children: Children<V>, leaf: Leaf<V> | undefined) {
    super()
    this.children = children
    this.leaf = leaf
  }
}

/** A node; never changed once made, except for the cached reference. */
export type TrieNode<V> = Leaf<V> | Extension<V> | Branch<V>

/** Subtries of a branch by nibble. */
export type Children<V> = readonly (TrieNode<V> | undefined)[]

/** Bytes of a value as the trie holds it. */
export type EncodeValue<V> = (value: V) => Uint8Array

/** RLP of a node, in which its children are named by reference. */
export function encodeNode<V>(node: TrieNode<V>, encode: EncodeValue<V>): Uint8Array {
  return encodeInPlace(node, encode).slice()
}

/** The node, whose reference is known from now on. */
export function referred<V>(node: TrieNode<V>, encode: EncodeValue<V>): TrieNode<V> {
  if (node.referenceSize === 0) node.refer(encodeInPlace(node, encode))
  return node
}

/** RLP of a node, to be read before the next one is encoded: most are hashed and dropped. */
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
  const size = rlpSize(items)
  const { bytes } = outputOf(size)
  writeRlp(bytes, 0, items)
  return bytes.subarray(0, size)
}

function encodeExtension<V>({ path, child }: Extension<V>, encode: EncodeValue<V>): Uint8Array {
  const prefix = hexPrefix(path, 0, false)
  const payload = rlpSize(prefix) + referred(child, encode).referenceSize
  const { bytes, view } = outputOf(rlpSizeOf(payload))
  const start = writeRlpPrefix(bytes, 0, RLP_LIST, payload)
  return bytes.subarray(0, child.writeReference(view, writeRlp(bytes, start, prefix)))
}

function encodeBranch<V>({ children, leaf }: Branch<V>, encode: EncodeValue<V>): Uint8Array {
  const value = leaf === undefined ? EMPTY_BYTES : encode(leaf.value)
  let payload = rlpSize(value)
  // All of them before anything is written: they are encoded in the same place.
  for (const child of children) payload += child === undefined ? 1 : referred(child, encode).referenceSize
  const { bytes, view } = outputOf(rlpSizeOf(payload))
  let offset = writeRlpPrefix(bytes, 0, RLP_LIST, payload)
  for (const child of children) {
    if (child === undefined) bytes[offset++] = RLP_STRING
    else offset = child.writeReference(view, offset)
  }
  return bytes.subarray(0, writeRlp(bytes, offset, value))
}

/** Where a node is encoded. */
interface Output {
  readonly bytes: Uint8Array
  readonly view: DataView
}

function newOutput(size: number): Output {
  const bytes = new Uint8Array(size)
  return { bytes, view: new DataView(bytes.buffer) }
}

/** Room for a branch of sixteen hashes and a short value. */
const SCRATCH = newOutput(1024)

const outputOf = (size: number): Output => (size <= SCRATCH.bytes.length ? SCRATCH : newOutput(size))
