/**
 * Proves the work of the node's own blocks with an aux block that contains only a coinbase. Only the hash for merged mining changes
 * in it from block to block (node-chain 4.3, 6.7). solutions.ts handles miners' work.
 */

import { AUX_HEADER_BYTES } from '../aux-reader.ts'
import { EMPTY_BYTES, bytesToBigInt, fromHex, plainView } from '../../../base/hex.ts'
import { SHA256_BLOCK, midstateOf, doubleSha256 } from '../../../crypto/sha256.ts'
import type { Header, HeaderWork, SealedHeader } from '../../../networks/consensus/consensus.ts'
import { meetsTarget, targetOf } from '../../../networks/consensus/target.ts'
import { MAX_OWN_DIFFICULTY } from './difficulty.ts'
import {
  asMergedMining,
  compressedItems,
  hashForMergedMining,
  mergedMiningBlockHash,
  type MergedMiningHeader,
} from './header.ts'
import {
  MERGED_MINING_TAG,
  encodeCoinbase,
  proofOf,
  checkProof,
  type AuxBlock,
  type AuxProof,
} from './aux-block.ts'

/**
 * Bytes before the tag: version, one input without a script, an output of 50 coins that anyone can spend, and the start of an
 * output of 0 coins, whose script of 41 bytes is tag and hash.
 */
const COINBASE_BEGIN = fromHex(
  `0x0100000001${'00'.repeat(32)}ffffffff00ffffffff0200f2052a010000000151000000000000000029`,
)

/** Lock time of the transaction. */
const COINBASE_END = new Uint8Array(4)

/** The coinbase, plain and compressed. Every block writes its hash for merged mining into both. */
const COINBASE = Buffer.concat([COINBASE_BEGIN, MERGED_MINING_TAG, new Uint8Array(32), COINBASE_END])
const COMPRESSED = encodeCoinbase({
  // The hash of the first 64 bytes does not depend on the block.
  ...midstateOf(COINBASE.subarray(0, SHA256_BLOCK)),
  tail: COINBASE.subarray(SHA256_BLOCK),
})

/** Offset of the hash for merged mining from the end of the coinbase, plain or compressed. */
const SEAL_HASH_TO_END = 32 + COINBASE_END.length

/** Offsets in the aux header, whose fields are little-endian. The hash of its previous block is zero. */
const OFFSETS = { version: 0, merkleRoot: 36, time: 68, bits: 72, nonce: 76 }
const VERSION = 1

/** Target of the auxiliary chain in compact form: the maximum. Blocks are checked against the target of this chain only. */
const BITS = 0x207fffff

interface SealedMergedMiningHeader extends SealedHeader {
  readonly header: MergedMiningHeader
}

/** Adds the proof of the node's own aux block. A given nonce may be invalid; by default the lowest valid one is used. */
export function sealOwn(header: MergedMiningHeader, nonce?: number): SealedMergedMiningHeader {
  // Encoded once for both hashes, because encoding the compressed header takes half the time of a hash.
  const compressed = compressedItems(header)
  const sealHash = fromHex(hashForMergedMining(header, compressed))
  for (const bytes of [COINBASE, COMPRESSED]) bytes.set(sealHash, bytes.length - SEAL_HASH_TO_END)
  const auxHeader = auxHeaderOf(doubleSha256(COINBASE), header.timestamp, nonce)
  if (nonce === undefined) findNonce(auxHeader, header.difficulty)
  const aux = { header: copyOf(auxHeader), merkleProof: EMPTY_BYTES, coinbase: copyOf(COMPRESSED) }
  return withProof(header, aux, compressed)
}

/** A copy in Buffer's shared pool, because V8 allocates system memory for each separate array above 64 bytes. */
const copyOf = (bytes: Uint8Array): Uint8Array => plainView(Buffer.from(bytes))

function auxHeaderOf(merkleRoot: Uint8Array, timestamp: bigint, nonce = 0): Uint8Array {
  const header = new Uint8Array(AUX_HEADER_BYTES)
  const view = new DataView(header.buffer)
  view.setUint32(OFFSETS.version, VERSION, true)
  header.set(merkleRoot, OFFSETS.merkleRoot)
  view.setUint32(OFFSETS.time, Number(BigInt.asUintN(32, timestamp)), true)
  view.setUint32(OFFSETS.bits, BITS, true)
  view.setUint32(OFFSETS.nonce, nonce, true)
  return header
}

/** Sets the lowest nonce that makes the aux header's hash meet the target. If that takes too long, leaves it unsolved. */
function findNonce(auxHeader: Uint8Array, difficulty: bigint): void {
  if (difficulty > MAX_OWN_DIFFICULTY) return
  const target = targetOf(difficulty)
  const view = new DataView(auxHeader.buffer)
  for (let nonce = 1; !meetsTarget(doubleSha256(auxHeader).reverse(), target); nonce++) {
    view.setUint32(OFFSETS.nonce, nonce, true)
  }
}

/** Adds a proof of work to a header. The hash covers the aux header, so it changes. */
export function withProof(
  header: MergedMiningHeader,
  aux: AuxProof,
  compressed?: readonly Uint8Array[],
): SealedMergedMiningHeader {
  const sealed = { ...header, own: { ...header.own, aux } }
  return { header: sealed, hash: mergedMiningBlockHash(sealed, compressed) }
}

/** Adds the proof of an aux block, which may be invalid. Only the proof is checked (node-chain 4.3). */
export function proveWithAuxBlock(header: Header, { target, hash }: HeaderWork, block: AuxBlock) {
  const proof = proofOf(block)
  return { ...withProof(asMergedMining(header), proof), fault: checkProof(proof, target, hash) }
}

/** The nonce of an aux header has four bytes. */
const MAX_AUX_NONCE = 0xffff_ffffn

/**
 * Adds the proof of the node's own aux block with a miner's nonce; undefined if the proof is invalid. Headers of merged-mining
 * networks have no nonce, so it is the aux header's.
 */
export function solveWithNonce(
  header: MergedMiningHeader,
  { target, hash }: HeaderWork,
  nonce: Uint8Array,
): SealedMergedMiningHeader | undefined {
  const value = bytesToBigInt(nonce)
  if (value > MAX_AUX_NONCE) return undefined
  const sealed = sealOwn(header, Number(value))
  const fault = checkProof(sealed.header.own.aux, target, hash)
  return fault === undefined ? sealed : undefined
}
