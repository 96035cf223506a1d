/** Nodes of the Merkle Patricia trie and their encodings (Yellow Paper, appendix D). Changes are in trie-edit.ts. */

import { EMPTY_BYTES } from '../base/hex.ts'
import { RLP_LIST, RLP_STRING, encodeRlpInPlace, writeRlpBefore, writeRlpPrefixBefore } from '../base/rlp.ts'
import type { RlpInput } from '../base/rlp.ts'
import { keccak256, keccak256InPlace, lastHash } from '../crypto/keccak.ts'
import { hexPrefix, type Nibbles } from './nibbles.ts'

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
    keccak256InPlace(encoded)
    this.#word0 = lastHash.getInt32(0)
    this.#word1 = lastHash.getInt32(4)
    this.#word2 = lastHash.getInt32(8)
    this.#word3 = lastHash.getInt32(12)
    this.#word4 = lastHash.getInt32(16)
    this.#word5 = lastHash.getInt32(20)
    this.#word6 = lastHash.getInt32(24)
    this.#word7 = lastHash.getInt32(28)
    this.referenceSize = 1 + HASH_LENGTH
  }

  /** Writes the reference so that it ends before an offset of the output, and returns where it begins. */
  writeReferenceBefore(output: Output, end: number): number {
    const { bytes, view } = output
    const start = end - this.referenceSize
    if (this.referenceSize <= HASH_LENGTH) {
      bytes.set(this.#encoding, start)
      return start
    }
    bytes[start] = RLP_STRING + HASH_LENGTH
    view.setInt32(start + 1, this.#word0)
    view.setInt32(start + 5, this.#word1)
    view.setInt32(start + 9, this.#word2)
    view.setInt32(start + 13, this.#word3)
    view.setInt32(start + 17, this.#word4)
    view.setInt32(start + 21, this.#word5)
    view.setInt32(start + 25, this.#word6)
    view.setInt32(start + 29, this.#word7)
    return start
  }

  /** Hash of the node's encoding of any length. */
  hash(): Uint8Array {
    if (!this.isHashed) return keccak256(this.#encoding)
    return SCRATCH.bytes.slice(1 + this.writeReferenceBefore(SCRATCH, END), END)
  }
}

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

/** Encodes a value of the trie: its bytes, or a list of which they are the encoding. */
export type EncodeValue<V> = (value: V) => RlpInput

/** RLP of a node with references to its children. */
export const encodeNode = <V>(node: TrieNode<V>, encode: EncodeValue<V>): Uint8Array =>
  encodeInPlace(node, encode).slice()

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
  const path = hexPrefix(key, depth, true)
  const content = encode(value)
  if (content instanceof Uint8Array) return encodeRlpInPlace([path, content])
  const list = writeRlpBefore(SCRATCH.bytes, END, content)
  const start = writeRlpPrefixBefore(SCRATCH.bytes, list, RLP_STRING, END - list)
  return listFrom(writeRlpBefore(SCRATCH.bytes, start, path))
}

function encodeExtension<V>({ path, child }: Extension<V>, encode: EncodeValue<V>): Uint8Array {
  withReference(child, encode)
  const start = child.writeReferenceBefore(SCRATCH, END)
  return listFrom(writeRlpBefore(SCRATCH.bytes, start, hexPrefix(path, 0, false)))
}

function encodeBranch<V>({ children }: Branch<V>, encode: EncodeValue<V>): Uint8Array {
  // The references come first, because all nodes are encoded in the same buffer.
  for (const child of children) if (child?.referenceSize === 0) withReference(child, encode)
  // The last item, the value, is empty.
  let start = END - 1
  SCRATCH.bytes[start] = RLP_STRING
  for (let nibble = children.length - 1; nibble >= 0; nibble--) {
    const child = children[nibble]
    if (child === undefined) SCRATCH.bytes[--start] = RLP_STRING
    else start = child.writeReferenceBefore(SCRATCH, start)
  }
  return listFrom(start)
}

/** The list whose items are in the buffer from `start` on. */
const listFrom = (start: number): Uint8Array =>
  SCRATCH.bytes.subarray(writeRlpPrefixBefore(SCRATCH.bytes, start, RLP_LIST, END - start))

interface Output {
  readonly bytes: Uint8Array
  readonly view: DataView
}

/** Length of the buffer for encodings, in bytes. A branch with sixteen hashes has 532; the leaf of an account is shorter. */
const END = 1024
const BYTES = new Uint8Array(END)
const SCRATCH: Output = { bytes: BYTES, view: new DataView(BYTES.buffer) }
