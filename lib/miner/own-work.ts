/**
 * The proof of work of the blocks that the node makes by itself: a block of the auxiliary chain that holds nothing but
 * a coinbase, always the same one with another hash in it (node-chain 4.3, 6.7). Blocks of others are in aux-block.ts.
 */

import { isMergedMining } from '../chain/header-fields.ts'
import type { MergedMiningHeader } from '../chain/header-fields.ts'
import { AUX_HEADER_BYTES } from '../base/aux-reader.ts'
import { EMPTY_BYTES, fromHex } from '../base/hex.ts'
import { withHash } from '../chain/block.ts'
import type { Block, BlockContent } from '../chain/block.ts'
import { MERGED_MINING_TAG, encodeCoinbase } from '../chain/merged-mining/coinbase.ts'
import { compressedItems, hashForMergedMining, mergedMiningBlockHash } from '../chain/merged-mining/header.ts'
import { reaches, targetOf } from '../chain/merged-mining/target.ts'
import { doubleSha256 } from '../crypto/sha256.ts'
import { SHA256_BLOCK, midstateOf } from '../crypto/sha256-midstate.ts'

/**
 * What stands before the tag: version, one input without a script, an output of 50 coins to anybody, and the beginning
 * of an output of nothing, whose script of 41 bytes is tag and hash.
 */
const COINBASE_BEGIN = fromHex(
  `0x0100000001${'00'.repeat(32)}ffffffff00ffffffff0200f2052a010000000151000000000000000029`,
)

/** Lock time of the transaction. */
const COINBASE_END = new Uint8Array(4)

/** The transaction, and the same compressed: every block writes into both what it names. */
const COINBASE = Buffer.concat([COINBASE_BEGIN, MERGED_MINING_TAG, new Uint8Array(32), COINBASE_END])
const COMPRESSED = encodeCoinbase({
  // The hash of the first 64 bytes does not depend on the block.
  ...midstateOf(COINBASE.subarray(0, SHA256_BLOCK)),
  tail: COINBASE.subarray(SHA256_BLOCK),
})

/** Where the hash of the work stands, from the end of either. */
const WORK_TO_END = 32 + COINBASE_END.length

/** Fields of the header: where they stand, little-endian. The previous hash is zero. */
const HEADER = { version: 0, merkleRoot: 36, time: 68, bits: 72, nonce: 76 }
const VERSION = 1
const BITS = 0x207fffff

/** Largest difficulty that is worked on, some milliseconds a block: nobody checks the node's own work. */
const MAX_DIFFICULTY = 1024n

/** The block with a proof of work; a block of a network without merged mining needs none. */
export function proveWork(content: BlockContent): Block {
  const { header } = content
  if (!isMergedMining(header)) return withHash(content)
  return withAux(content, header, (merkleRoot) => solvedHeader(merkleRoot, header))
}

/** The block with the proof that a nonce of the node's own auxiliary header gives, be it good or not. */
export function withOwnNonce(content: BlockContent, header: MergedMiningHeader, nonce: number): Block {
  return withAux(content, header, (merkleRoot) => {
    const aux = unsolvedHeader(merkleRoot, header)
    new DataView(aux.buffer).setUint32(HEADER.nonce, nonce, true)
    return aux
  })
}

function withAux(
  content: BlockContent,
  header: MergedMiningHeader,
  headerOver: (merkleRoot: Uint8Array) => Uint8Array,
): Block {
  // Half the cost of a block's two hashes is their common preimage.
  const compressed = compressedItems(header)
  const work = fromHex(hashForMergedMining(header, compressed))
  for (const bytes of [COINBASE, COMPRESSED]) bytes.set(work, bytes.length - WORK_TO_END)
  const aux = {
    header: copyOf(headerOver(doubleSha256(COINBASE))),
    merkleProof: EMPTY_BYTES,
    coinbase: copyOf(COMPRESSED),
  }
  const proved = { ...header, mergedMining: { ...header.mergedMining, aux } }
  return { ...content, header: proved, hash: mergedMiningBlockHash(proved, compressed) }
}

/** A copy in memory that copies share: for an array of its own of more than 64 bytes V8 asks the system for memory. */
function copyOf(bytes: Uint8Array): Uint8Array {
  const { buffer, byteOffset, length } = Buffer.from(bytes)
  return new Uint8Array(buffer, byteOffset, length)
}

/** The header over a Merkle root with the least nonce that reaches the target of the difficulty. */
function solvedHeader(merkleRoot: Uint8Array, { timestamp, difficulty }: Block['header']): Uint8Array {
  const header = unsolvedHeader(merkleRoot, { timestamp })
  if (difficulty > MAX_DIFFICULTY) return header
  const target = targetOf(difficulty)
  const view = new DataView(header.buffer)
  for (let nonce = 1; !reaches(doubleSha256(header).reverse(), target); nonce++) {
    view.setUint32(HEADER.nonce, nonce, true)
  }
  return header
}

function unsolvedHeader(
  merkleRoot: Uint8Array,
  { timestamp }: Pick<Block['header'], 'timestamp'>,
): Uint8Array {
  const header = new Uint8Array(AUX_HEADER_BYTES)
  const view = new DataView(header.buffer)
  view.setUint32(HEADER.version, VERSION, true)
  header.set(merkleRoot, HEADER.merkleRoot)
  view.setUint32(HEADER.time, Number(BigInt.asUintN(32, timestamp)), true)
  view.setUint32(HEADER.bits, BITS, true)
  return header
}
