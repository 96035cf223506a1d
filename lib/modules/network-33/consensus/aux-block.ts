/**
 * Decodes aux blocks that miners submit. An aux block is a block of the auxiliary chain. It proves the work of a block of this
 * chain, because its coinbase transaction contains that block's hash.
 */

import { AUX_HEADER_BYTES, AuxReader } from '../aux-reader.ts'
import { NodeError, invalidParams } from '../../../base/errors.ts'
import { fromHex, toHash, EMPTY_BYTES, equalBytes, type Hash } from '../../../base/hex.ts'
import {
  doubleSha256,
  SHA256_BLOCK,
  SHA256_STATE,
  finishSha256,
  midstateOf,
  sha256,
  type Midstate,
} from '../../../crypto/sha256.ts'
import { meetsTarget } from '../../../networks/consensus/target.ts'
import { toInternalOrder } from '../bridge/aux-header.ts'
import { readTransactionParts } from '../bridge/aux-transaction.ts'
import { merkleLevels, branchRoot } from '../bridge/merkle.ts'

/** The members of an aux block that form its proof of work. */
export interface AuxBlock {
  readonly header: Uint8Array
  /** The coinbase transaction without witness data. */
  readonly coinbase: Uint8Array
  /** Merkle branch of the coinbase: siblings in internal byte order. */
  readonly branch: readonly Uint8Array[]
}

/** Decodes a complete block: header, number of transactions, transactions. @throws NodeError 'invalidParams' */
export function readAuxBlock(bytes: Uint8Array): AuxBlock {
  const reader = readerOf(bytes, 'block')
  const header = reader.take(AUX_HEADER_BYTES)
  const transactions = reader.list(() => readTransactionParts(reader).withoutWitness)
  reader.end()
  const [coinbase] = transactions
  if (coinbase === undefined) throw invalidParams('block: expected at least one transaction')
  return { header, coinbase, branch: branchOfFirst(transactions.map(doubleSha256)) }
}

/** Builds a block from header, coinbase transaction and all ids in display order. @throws NodeError 'invalidParams' */
export function auxBlockOfIds(header: Uint8Array, coinbase: Uint8Array, ids: readonly Hash[]): AuxBlock {
  if (ids.length === 0) {
    throw invalidParams('transactionHashes: expected the ids of all transactions, the coinbase first')
  }
  // The first id is not compared with the coinbase: the proof check covers the coinbase itself.
  return { ...withCoinbase(header, coinbase), branch: branchOfFirst(ids.map((id) => fromHex(id).reverse())) }
}

/**
 * Builds a block from a Merkle branch: the coinbase id, then the siblings from leaf to root, in internal order.
 * @throws NodeError 'submissionRefused' when the branch is empty, 'invalidParams'
 */
export function auxBlockOfBranch(
  header: Uint8Array,
  coinbase: Uint8Array,
  branch: readonly Hash[],
): AuxBlock {
  if (branch.length === 0) {
    throw new NodeError('submissionRefused', "The list of merkle hashes can't be empty")
  }
  return { ...withCoinbase(header, coinbase), branch: branch.slice(1).map(fromHex) }
}

/** Hash for merged mining after the last tag of the coinbase transaction, if it has one. */
export function sealHashIn({ coinbase }: AuxBlock): Hash | undefined {
  const at = Buffer.from(coinbase).lastIndexOf(MERGED_MINING_TAG)
  const begin = at + MERGED_MINING_TAG.length
  const hash = coinbase.subarray(begin, begin + 32)
  return at < 0 || hash.length < 32 ? undefined : toHash(hash)
}

/** The proof as a header contains it: hashes in display order, the coinbase compressed (node-chain 6.7). */
export function proofOf({ header, coinbase, branch }: AuxBlock): AuxProof {
  return {
    header,
    merkleProof: Buffer.concat(branch.map((hash) => hash.toReversed())),
    coinbase: encodeCoinbase(compressCoinbase(coinbase)),
  }
}

function withCoinbase(header: Uint8Array, coinbase: Uint8Array): Pick<AuxBlock, 'header' | 'coinbase'> {
  if (header.length !== AUX_HEADER_BYTES) {
    throw invalidParams(`header: expected ${AUX_HEADER_BYTES} bytes, got ${header.length}`)
  }
  const reader = readerOf(coinbase, 'coinbase')
  const transaction = readTransactionParts(reader)
  reader.end()
  return { header, coinbase: transaction.withoutWitness }
}

/** A reader of a param. It throws NodeError 'invalidParams'. */
const readerOf = (bytes: Uint8Array, name: string): AuxReader =>
  new AuxReader(bytes, (fault) => invalidParams(`${name}: ${fault}`))

const branchOfFirst = (leaves: readonly Uint8Array[]): readonly Uint8Array[] =>
  merkleLevels(leaves).flatMap(([, sibling]) => sibling ?? [])

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

/**
 * Compresses an aux block's coinbase transaction: the SHA-256 midstate before the 64-byte chunk where the merged-mining tag begins,
 * and the bytes from that chunk on (node-chain 6.7). Without a tag the tail is the whole transaction.
 */
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

/** Decodes a header's coinbase; absent if it is too short or its count is not a multiple of 64. */
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

/** The members of an aux block that a header contains. */
export interface AuxProof {
  /** The aux header: 80 bytes. */
  readonly header: Uint8Array
  /** Merkle branch of its coinbase transaction: siblings of 32 bytes each in display order. */
  readonly merkleProof: Uint8Array
  /** The coinbase transaction, compressed by `compressCoinbase`. */
  readonly coinbase: Uint8Array
}

/** The proof of a block without proof of work. */
export const NO_PROOF: AuxProof = { header: EMPTY_BYTES, merkleProof: EMPTY_BYTES, coinbase: EMPTY_BYTES }

/** Offsets of the Merkle root in an aux header. */
const MERKLE_ROOT = { start: 36, end: 68 }

/** Maximum bytes of a Merkle proof (node-chain 6.7, IP-180). */
const MAX_PROOF = 960

/** Maximum bytes of the coinbase after the hash for merged mining. */
const MAX_BYTES_AFTER_HASH = 128

/** The tag must begin in the first 64 bytes of the tail, and the tail must be longer: a midstate could forge a shorter coinbase. */
const FIRST_BLOCK = 64

/** The first fault in words; absent if the proof is valid. `sealHash` is the block's hash for merged mining. */
export function checkProof(proof: AuxProof, target: Hash, sealHash: Hash): string | undefined {
  const { header, merkleProof, coinbase: compressed } = proof
  if (merkleProof.length % 32 !== 0 || merkleProof.length > MAX_PROOF) {
    return 'the Merkle proof is not a list of up to 30 hashes'
  }
  const coinbase = decodeCoinbase(compressed)
  if (coinbase === undefined) return 'there is no compressed coinbase'
  if (header.length !== AUX_HEADER_BYTES) return 'the header does not have 80 bytes'
  if (!meetsTarget(doubleSha256(header).reverse(), target))
    return 'the hash of the header is above the target'
  const fault = checkTail(coinbase.tail, sealHash)
  if (fault !== undefined) return fault
  if (coinbase.count + coinbase.tail.length <= FIRST_BLOCK) return 'the coinbase has no more than 64 bytes'
  const root = foldMerkleProof(coinbaseId(coinbase), merkleProof)
  const claimed = header.subarray(MERKLE_ROOT.start, MERKLE_ROOT.end)
  return equalBytes(root, claimed) ? undefined : 'the Merkle root does not match'
}

function checkTail(bytes: Uint8Array, sealHash: Hash): string | undefined {
  const tail = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const at = tail.indexOf(Buffer.concat([MERGED_MINING_TAG, fromHex(sealHash)]))
  if (at < 0) return 'the coinbase does not name the block'
  if (at >= FIRST_BLOCK) return 'the tag is not in the first 64 bytes of the tail'
  if (tail.lastIndexOf(MERGED_MINING_TAG) !== at) return 'the tag is not the last one'
  const bytesAfter = tail.length - at - MERGED_MINING_TAG.length - 32
  return bytesAfter > MAX_BYTES_AFTER_HASH ? 'more than 128 bytes follow the hash' : undefined
}

/** Merkle root in internal byte order, from a leaf in internal order and its siblings in display order. */
export function foldMerkleProof(leaf: Uint8Array, merkleProof: Uint8Array): Uint8Array {
  const siblings = Array.from({ length: merkleProof.length / 32 }, (_, level) =>
    toInternalOrder(merkleProof.subarray(32 * level, 32 * (level + 1))),
  )
  // The coinbase is the first transaction, so its sibling is on the right at every level.
  return branchRoot(leaf, 0n, siblings)
}
