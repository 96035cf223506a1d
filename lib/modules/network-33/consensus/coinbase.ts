/**
 * Compresses the coinbase transaction of an aux block: the SHA-256 midstate before the 64-byte chunk in which the
 * merged-mining tag begins, and the bytes from that chunk on (node-chain 6.7).
 */

import { EMPTY_BYTES, fromHex } from '../../../base/hex.ts'
import {
  SHA256_BLOCK,
  SHA256_STATE,
  finishSha256,
  midstateOf,
  sha256,
  type Midstate,
} from '../../../crypto/sha256.ts'

/** The merged-mining tag, which precedes the hash for merged mining in a coinbase transaction (node-chain 4.3). */
export const MERGED_MINING_TAG = fromHex('0x52534b424c4f434b3a')

/** Length in bytes of the hash after the tag. */
const HASH_BYTES = 32

/** Length in bytes of `count`, the number of hashed bytes; the state follows. */
const COUNT_BYTES = 8

/** Offset of the tail, and so the minimum length of a compressed coinbase. */
const HEAD_BYTES = COUNT_BYTES + SHA256_STATE

/** A coinbase transaction whose first bytes are replaced by their SHA-256 midstate. */
export interface CompressedCoinbase extends Midstate {
  /** Bytes of the transaction from offset `count` on. */
  readonly tail: Uint8Array
}

/** Compresses a serialized transaction. Without a tag the tail is the whole transaction. */
export function compressCoinbase(transaction: Uint8Array): CompressedCoinbase {
  const at = Math.max(0, lastTagOffset(transaction))
  const count = at - (at % SHA256_BLOCK)
  return { ...midstateOf(transaction.subarray(0, count)), tail: transaction.subarray(count) }
}

/** Count, state and tail concatenated, as in a header. */
export function encodeCoinbase({ count, state, tail }: CompressedCoinbase): Uint8Array {
  const bytes = new Uint8Array(HEAD_BYTES + tail.length)
  new DataView(bytes.buffer).setBigUint64(0, BigInt(count))
  bytes.set(state, COUNT_BYTES)
  bytes.set(tail, HEAD_BYTES)
  return bytes
}

/** Decodes the coinbase of a header; absent if it is too short or its count is not a multiple of 64. */
export function decodeCoinbase(bytes: Uint8Array): CompressedCoinbase | undefined {
  if (bytes.length < HEAD_BYTES) return undefined
  const count = Number(new DataView(bytes.buffer, bytes.byteOffset, COUNT_BYTES).getBigUint64(0))
  if (!Number.isSafeInteger(count) || count % SHA256_BLOCK !== 0) return undefined
  return { count, state: bytes.subarray(COUNT_BYTES, HEAD_BYTES), tail: bytes.subarray(HEAD_BYTES) }
}

/** Id of the transaction in internal byte order: its double SHA-256. */
export const coinbaseId = ({ tail, ...midstate }: CompressedCoinbase): Uint8Array =>
  sha256(finishSha256(midstate, tail))

/** Bytes after the last tag and its hash in a compressed coinbase; empty without a tag. */
export function bytesAfterHash(compressed: Uint8Array): Uint8Array {
  const at = lastTagOffset(compressed)
  return at < 0 ? EMPTY_BYTES : compressed.subarray(at + MERGED_MINING_TAG.length + HASH_BYTES)
}

/** Offset of the last tag; -1 without a tag. */
const lastTagOffset = (bytes: Uint8Array): number =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).lastIndexOf(MERGED_MINING_TAG)
