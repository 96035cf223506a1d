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
import { keccak256, keccak256InPlace } from '../crypto/keccak.ts'
import type { Nibbles } from './nibbles.ts'
import { hexPrefix } from './nibbles.ts'

/** Length of a hash in bytes. */
const HASH_LENGTH = 32

/**
 * A node with its cached reference. The hash is stored as eight words in the node itself: an array would take four times the
 * memory, and a string four times as long to write. Encoding a branch reads sixteen hashes from nodes that are far apart in
 * memory.
 */
export class Referable {
  /** Length in bytes of the reference as an item of a list; 0 until it is computed. */
  referenceSize = 0
  /** The encoding, if that is the reference. */
  #encoding = EMPTY_BYTES
  #word0 = 0
  #word1 = 0
  #word2 = 0
  #word3 = 0
  #word4 = 0
  #word5 = 0
  #word6 = 0
  #word7 = 0

  /** Whether the reference is a hash, so that the node is a separate item of a proof. */
  get isHashed(): boolean {
    return this.referenceSize > HASH_LENGTH
  }

  /** Computes the reference from the node's encoding. */
  setReference(encoded: Uint8Array): void {
    if (encoded.length < HASH_LENGTH) {
      this.#encoding = encoded.slice()
      this.referenceSize = encoded.length
      return
    }
    const hash = keccak256InPlace(encoded)
    this.#word0 = wordOf(hash, 0)
    this.#word1 = wordOf(hash, 4)
    this.#word2 = wordOf(hash, 8)
    this.#word3 = wordOf(hash, 12)
    this.#word4 = wordOf(hash, 16)
    this.#word5 = wordOf(hash, 20)
    this.#word6 = wordOf(hash, 24)
    this.#word7 = wordOf(hash, 28)
    this.referenceSize = 1 + HASH_LENGTH
  }

  /** Writes the reference at an offset of the output, and returns the offset after it. */
  writeReference(output: DataView, offset: number): number {
    if (!this.isHashed) {
      for (const [index, byte] of this.#encoding.entries()) output.setUint8(offset + index, byte)
      return offset + this.#encoding.length
    }
    output.setUint8(offset, RLP_STRING + HASH_LENGTH)
    this.#writeHash(output, offset + 1)
    return offset + 1 + HASH_LENGTH
  }

  /** Hash of the node's encoding of any length. */
  hash(): Uint8Array {
    if (!this.isHashed) return keccak256(this.#encoding)
    const hash = new Uint8Array(HASH_LENGTH)
    this.#writeHash(new DataView(hash.buffer), 0)
    return hash
  }

  #writeHash(output: DataView, offset: number): void {
    output.setInt32(offset, this.#word0)
    output.setInt32(offset + 4, this.#word1)
    output.setInt32(offset + 8, this.#word2)
    output.setInt32(offset + 12, this.#word3)
    output.setInt32(offset + 16, this.#word4)
    output.setInt32(offset + 20, this.#word5)
    output.setInt32(offset + 24, this.#word6)
    output.setInt32(offset + 28, this.#word7)
  }
}

const wordOf = (bytes: Uint8Array, index: number): number =>
  ((bytes[index] ?? 0) << 24) |
  ((bytes[index + 1] ?? 0) << 16) |
  ((bytes[index + 2] ?? 0) << 8) |
  (bytes[index + 3] ?? 0)

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

/** A branch node: a fork into up to sixteen subtries. It has no value, because no key is the beginning of another (trie.ts). */
export class Branch<V> extends Referable {
  readonly kind = 'branch'
  /** One element per nibble. */
  readonly children: Children<V>

  constructor(children: Children<V>) {
    super()
    this.children = children
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

function encodeBranch<V>({ children }: Branch<V>, encode: EncodeValue<V>): Uint8Array {
  // The last item, the value, is empty.
  let payload = 1
  // The references come first, because all nodes are encoded in the same buffer.
  for (const child of children)
    payload += child === undefined ? 1 : withReference(child, encode).referenceSize
  const { bytes, view } = outputOf(rlpSizeOf(payload))
  let offset = writeRlpPrefix(bytes, 0, RLP_LIST, payload)
  for (const child of children) {
    if (child === undefined) bytes[offset++] = RLP_STRING
    else offset = child.writeReference(view, offset)
  }
  bytes[offset++] = RLP_STRING
  return bytes.subarray(0, offset)
}

/** A buffer for the encoding of a node. */
function newOutput(size: number) {
  const bytes = new Uint8Array(size)
  return { bytes, view: new DataView(bytes.buffer) }
}

/** Large enough for a leaf with a transaction that creates a contract of the maximum size (EIP-3860). */
const SCRATCH = newOutput(2 ** 16)

const outputOf = (size: number) => (size <= SCRATCH.bytes.length ? SCRATCH : newOutput(size))
