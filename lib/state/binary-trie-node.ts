/** Nodes of the binary trie and their serialization (node-chain 12.3). Changes are in binary-trie-edit.ts. */

import { keccak256 } from '../crypto/keccak.ts'
import { packBits } from './bits.ts'
import type { Bits } from './bits.ts'

/** A node; immutable except for the cached summary. */
export interface BinaryNode {
  /** Path that all keys below share, without the bit that selected this node. */
  readonly path: Bits
  readonly left: BinaryNode | undefined
  readonly right: BinaryNode | undefined
  /** Value of the key that ends here, at least one byte; absent if no key ends here. */
  readonly value: Uint8Array | undefined
  /** Set at first use. */
  summary: Summary | undefined
}

/** Data of a node that its parent needs. */
interface Summary {
  /** The serialization of a short node without children, otherwise its hash. */
  readonly reference: Uint8Array
  readonly isEmbedded: boolean
  /** Length in bytes of the serializations of this node and all nodes below, including long values. */
  readonly totalSize: number
}

/** Bits of the first byte of a serialized node; the two highest are the version of the serialization. */
const NODE_VERSION = 0x40
const LONG_VALUE = 0x20
const SHARED_PATH = 0x10
const LEFT_CHILD = 0x08
const RIGHT_CHILD = 0x04
const LEFT_EMBEDDED = 0x02
const RIGHT_EMBEDDED = 0x01

/** Maximum bytes of a value inside its node. */
const MAX_INLINE_VALUE_BYTES = 32

/** Maximum bytes of a node inside its parent. */
const MAX_EMBEDDED_NODE_BYTES = 44

/** Creates a node from its parts. */
export function binaryNode(
  parts: Partial<Omit<BinaryNode, 'summary'>> & Pick<BinaryNode, 'path'>,
): BinaryNode {
  const { path, left, right, value } = parts
  return { path, left, right, value, summary: undefined }
}

/** Serialization of a node with references to its children. */
export function encodeBinaryNode({ path, left, right, value }: BinaryNode): Uint8Array {
  const parts = [
    flagsOf({ path, left, right, value }),
    ...(path.length === 0 ? [] : [pathLength(path.length), packBits(path)]),
    ...(left === undefined ? [] : childReference(left)),
    ...(right === undefined ? [] : childReference(right)),
    ...(left === undefined && right === undefined ? [] : [compactSize(totalSize(left) + totalSize(right))]),
    ...(value === undefined ? [] : [encodeValue(value)]),
  ]
  return new Uint8Array(Buffer.concat(parts))
}

/** Hash of a node's serialization. */
export function hashOfNode(node: BinaryNode): Uint8Array {
  const { reference, isEmbedded } = summaryOf(node)
  return isEmbedded ? keccak256(reference) : reference
}

function flagsOf({ path, left, right, value }: Omit<BinaryNode, 'summary'>): Uint8Array {
  let flags = NODE_VERSION
  if (value !== undefined && value.length > MAX_INLINE_VALUE_BYTES) flags |= LONG_VALUE
  if (path.length > 0) flags |= SHARED_PATH
  if (left !== undefined) flags |= LEFT_CHILD | (summaryOf(left).isEmbedded ? LEFT_EMBEDDED : 0)
  if (right !== undefined) flags |= RIGHT_CHILD | (summaryOf(right).isEmbedded ? RIGHT_EMBEDDED : 0)
  return Uint8Array.of(flags)
}

/** The length of a path. The frequent lengths (1 to 32 bits, and 160 to 382 bits) take one byte. */
function pathLength(bits: number): Uint8Array {
  if (bits <= 32) return Uint8Array.of(bits - 1)
  if (bits >= 160 && bits <= 382) return Uint8Array.of(bits - 128)
  return Buffer.concat([Uint8Array.of(0xff), compactSize(bits)])
}

function childReference(child: BinaryNode): readonly Uint8Array[] {
  const { reference, isEmbedded } = summaryOf(child)
  return isEmbedded ? [Uint8Array.of(reference.length), reference] : [reference]
}

function encodeValue(value: Uint8Array): Uint8Array {
  if (value.length <= MAX_INLINE_VALUE_BYTES) return value
  const length = Uint8Array.of(value.length >>> 16, value.length >>> 8, value.length)
  return Buffer.concat([keccak256(value), length])
}

const totalSize = (node: BinaryNode | undefined): number =>
  node === undefined ? 0 : summaryOf(node).totalSize

function summaryOf(node: BinaryNode): Summary {
  node.summary ??= summarize(node)
  return node.summary
}

function summarize(node: BinaryNode): Summary {
  const { left, right, value } = node
  const encoded = encodeBinaryNode(node)
  const isLeaf = left === undefined && right === undefined
  const isEmbedded = isLeaf && encoded.length <= MAX_EMBEDDED_NODE_BYTES
  const longValue = value !== undefined && value.length > MAX_INLINE_VALUE_BYTES ? value.length : 0
  return {
    reference: isEmbedded ? encoded : keccak256(encoded),
    isEmbedded,
    totalSize: encoded.length + longValue + totalSize(left) + totalSize(right),
  }
}

/** Encodes a compact size, as in aux blocks: one byte, or a prefix byte and two, four or eight little-endian bytes. */
function compactSize(value: number): Uint8Array {
  const bytes = Buffer.alloc(9)
  if (value < 0xfd) return Uint8Array.of(value)
  if (value <= 0xffff) return bytes.subarray(0, bytes.writeUInt16LE(value, bytes.writeUInt8(0xfd, 0)))
  if (value <= 0xffff_ffff) return bytes.subarray(0, bytes.writeUInt32LE(value, bytes.writeUInt8(0xfe, 0)))
  return bytes.subarray(0, bytes.writeBigUInt64LE(BigInt(value), bytes.writeUInt8(0xff, 0)))
}
