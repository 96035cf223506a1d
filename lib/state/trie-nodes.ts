/**
 * Nodes of the Merkle Patricia trie, their encodings (Yellow Paper, appendix D) and changes. Nodes on the path to a change are
 * copied; all others are shared with the old trie. Paths are strings, which V8 stores and compares at a fraction of the cost of
 * typed arrays.
 */

import { EMPTY_BYTES, toDigits, fromHex, type Address, type Hash } from '../base/hex.ts'
import { invariant, present } from '../base/invariant.ts'
import { getOrAdd, cached } from '../base/once.ts'
import {
  RLP_LIST,
  RLP_STRING,
  encodeRlpInPlace,
  writeRlpBefore,
  writeRlpPrefixBefore,
  type RlpInput,
} from '../base/rlp.ts'
import { keccak256, keccak256InPlace, lastHash } from '../crypto/keccak.ts'

/** Length of a hash in bytes. */
const HASH_LENGTH = 32

/**
 * A node with its cached reference. The node stores the hash as eight words: an array would take four times the memory, and a
 * string four times as long to write. Encoding a branch reads sixteen hashes from nodes that are far apart in memory.
 */
class Referable {
  /** Length in bytes of the reference as an item of a list; 0 until it is computed. */
  referenceSize = 0
  /** The encoding, if it is short enough to be the reference. */
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

  hash(): Uint8Array {
    if (!this.isHashed) return keccak256(this.#encoding)
    return SCRATCH.bytes.slice(1 + this.writeReferenceBefore(SCRATCH, END), END)
  }
}

/** A leaf node: the end of a path and its value. */
export class Leaf<V> extends Referable {
  readonly kind = 'leaf'
  /** The whole key, not its rest at this depth, so that all versions of the leaf share it. */
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
class Extension<V> extends Referable {
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
class Branch<V> extends Referable {
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
type Children<V> = readonly (TrieNode<V> | undefined)[]

/** Encodes a value of the trie: its bytes, or a list that encodes to them. */
export type EncodeValue<V> = (value: V) => RlpInput

/** RLP of a node with references to its children. */
export const encodeNode = <V>(node: TrieNode<V>, encode: EncodeValue<V>): Uint8Array =>
  encodeInPlace(node, encode).slice()

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

export interface Entry<V> {
  readonly key: Nibbles
  readonly value: V
}

const NO_CHILDREN: Children<never> = new Array<undefined>(16).fill(undefined)

/** The subtrie at a depth with the value at the key. */
export function insert<V>(node: TrieNode<V> | undefined, entry: Entry<V>, depth: number): TrieNode<V> {
  if (node === undefined) return leafOf(entry, depth)
  switch (node.kind) {
    case 'leaf':
      // Reuses the key of the old leaf, so that versions share one string.
      if (node.key === entry.key) return new Leaf(node.key, depth, entry.value)
      return insertBesideLeaf(node, entry, depth)
    case 'extension':
      return insertIntoExtension(node, entry, depth)
    case 'branch':
      return insertIntoBranch(node, entry, depth)
  }
}

/** The subtrie at a depth with all entries, whose keys differ. A branch is copied once for all entries below it. */
export function insertAll<V>(
  node: TrieNode<V> | undefined,
  entries: readonly Entry<V>[],
  depth: number,
): TrieNode<V> | undefined {
  const [first, ...others] = entries
  if (first === undefined) return node
  if (node?.kind !== 'branch') return insertAll(insert(node, first, depth), others, depth)
  const below = new Map<number, Entry<V>[]>()
  for (const entry of entries) getOrAdd(below, nibbleAt(entry.key, depth), () => []).push(entry)
  const children = node.children.slice()
  for (const [nibble, some] of below) children[nibble] = insertAll(children[nibble], some, depth + 1)
  return new Branch(children)
}

/** The subtrie without the key: the same object if the key is absent, `undefined` if no node is left. */
export function remove<V>(node: TrieNode<V>, key: Nibbles, depth: number): TrieNode<V> | undefined {
  switch (node.kind) {
    case 'leaf':
      return node.key === key ? undefined : node
    case 'extension':
      return removeFromExtension(node, key, depth)
    case 'branch':
      return removeFromBranch(node, key, depth)
  }
}

function insertBesideLeaf<V>(old: Leaf<V>, entry: Entry<V>, depth: number): TrieNode<V> {
  const fork = firstDifference(old.key, entry.key, depth)
  const half = insertIntoBranch(new Branch<V>(NO_CHILDREN), old, fork)
  return prepend(entry.key.slice(depth, fork), insertIntoBranch(half, entry, fork), depth)
}

function insertIntoExtension<V>(node: Extension<V>, entry: Entry<V>, depth: number): TrieNode<V> {
  const end = depth + node.path.length
  if (entry.key.startsWith(node.path, depth))
    return new Extension(node.path, insertIntoBranch(node.child, entry, end))
  const shared = firstDifference(node.path, entry.key.slice(depth, end), 0)
  const rest = prepend(node.path.slice(shared + 1), node.child, depth + shared + 1)
  const half = new Branch(replaceAt<V>(NO_CHILDREN, nibbleAt(node.path, shared), rest))
  return prepend(node.path.slice(0, shared), insertIntoBranch(half, entry, depth + shared), depth)
}

function insertIntoBranch<V>(node: Branch<V>, entry: Entry<V>, depth: number): Branch<V> {
  const nibble = nibbleAt(entry.key, depth)
  return new Branch(replaceAt(node.children, nibble, insert(node.children[nibble], entry, depth + 1)))
}

function removeFromExtension<V>(node: Extension<V>, key: Nibbles, depth: number): TrieNode<V> | undefined {
  if (!key.startsWith(node.path, depth)) return node
  const child = removeFromBranch(node.child, key, depth + node.path.length)
  return child === node.child ? node : prepend(node.path, child, depth)
}

function removeFromBranch<V>(node: Branch<V>, key: Nibbles, depth: number): TrieNode<V> {
  const nibble = nibbleAt(key, depth)
  const child = node.children[nibble]
  if (child === undefined) return node
  const rest = remove(child, key, depth + 1)
  return rest === child ? node : collapse(new Branch(replaceAt(node.children, nibble, rest)), depth)
}

/** Replaces a branch with a single child by a node without a fork. */
function collapse<V>(node: Branch<V>, depth: number): TrieNode<V> {
  const first = node.children.findIndex((child) => child !== undefined)
  if (node.children.findLastIndex((child) => child !== undefined) !== first) return node
  return prepend(first.toString(16), present(node.children[first], 'last child of a branch'), depth)
}

function prepend<V>(path: Nibbles, node: TrieNode<V>, depth: number): TrieNode<V> {
  switch (node.kind) {
    case 'leaf':
      return node.depth === depth ? node : leafOf(node, depth)
    case 'extension':
      return new Extension(path + node.path, node.child)
    case 'branch':
      return path.length === 0 ? node : new Extension(path, node)
  }
}

function leafOf<V>({ key, value }: Entry<V>, depth: number): Leaf<V> {
  invariant(depth <= key.length, 'a key of the trie is the beginning of another')
  return new Leaf(key, depth, value)
}

function replaceAt<V>(children: Children<V>, nibble: number, child: TrieNode<V> | undefined): Children<V> {
  const copy = children.slice()
  copy[nibble] = child
  return copy
}

export type Nibbles = string

/** A key of a trie: bytes, or the path of these bytes. */
export type TrieKey = Uint8Array | Nibbles

export const toNibbles = (key: TrieKey): Nibbles => (typeof key === 'string' ? key : toDigits(key))

/** The nibble at an index of the path: 0 to 15. */
export function nibbleAt(path: Nibbles, index: number): number {
  const code = path.charCodeAt(index)
  // The character codes of the digits: '0' is 48, '9' is 57 and 'a' is 97.
  return code < 58 ? code - 48 : code - 87
}

/** Index of the first difference at or after `start`; the length of the shorter path if the paths do not differ. */
export function firstDifference(left: Nibbles, right: Nibbles, start: number): number {
  const end = Math.min(left.length, right.length)
  let index = start
  while (index < end && left.charCodeAt(index) === right.charCodeAt(index)) index++
  return index
}

/** Hex-prefix encoding of the path from an index to its end (Yellow Paper, appendix C). */
export function hexPrefix(path: Nibbles, start: number, isLeaf: boolean): Uint8Array {
  const isOdd = (path.length - start) % 2 === 1
  const flags = (isLeaf ? 2 : 0) + (isOdd ? 1 : 0)
  return fromHex(`0x${flags}${isOdd ? '' : '0'}${path.slice(start)}`)
}

/**
 * Number of cached keys. A transaction asks for its sender's key a dozen times, and a run of empty blocks for those of the 16,382
 * slots of the ring buffers (evm/system-contracts.ts).
 */
const MAX_CACHED = 32_768

/** Key of an address in the account trie, or of a slot in a storage trie. */
export const hashedKey: (preimage: Address | Hash) => Nibbles = cached(MAX_CACHED, (preimage) =>
  toNibbles(keccak256InPlace(fromHex(preimage))),
)
