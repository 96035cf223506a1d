/**
 * Proves the work of the node's own blocks with an aux block that contains a coinbase only. The coinbase differs in the
 * hash for merged mining alone (node-chain 4.3, 6.7). The work of miners is in solutions.ts.
 */

import { AUX_HEADER_BYTES } from '../../base/aux-reader.ts'
import { EMPTY_BYTES, fromHex } from '../../base/hex.ts'
import { SHA256_BLOCK, midstateOf } from '../../crypto/sha256-midstate.ts'
import { doubleSha256 } from '../../crypto/sha256.ts'
import type { SealedHeader } from '../consensus.ts'
import type { MergedMiningHeader } from '../header-fields.ts'
import { meetsTarget, targetOf } from '../target.ts'
import { MERGED_MINING_TAG, encodeCoinbase } from './coinbase.ts'
import { compressedItems, hashForMergedMining, mergedMiningBlockHash } from './header.ts'

/**
 * Bytes before the tag: version, one input without a script, an output of 50 coins that anyone can spend, and the start
 * of an output of 0 coins, whose script of 41 bytes is tag and hash.
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

/** Offset of the hash for merged mining, counted from the end of the coinbase, plain or compressed. */
const WORK_TO_END = 32 + COINBASE_END.length

/** Offsets of the little-endian fields of the aux header. The previous hash is zero. */
const HEADER = { version: 0, merkleRoot: 36, time: 68, bits: 72, nonce: 76 }
const VERSION = 1
const BITS = 0x207fffff

/** Maximum difficulty for which a nonce is searched, some milliseconds per block. The node's own work is not checked. */
const MAX_DIFFICULTY = 1024n

/** A header of a merged-mining network with its proof of work. */
export interface ProvedHeader extends SealedHeader {
  readonly header: MergedMiningHeader
}

/** Adds a proof of work to a header. */
export function sealOwn(header: MergedMiningHeader): ProvedHeader {
  return withOwnAux(header, (merkleRoot) => solvedHeader(merkleRoot, header))
}

/** The header with the proof for a nonce of the node's own aux header, valid or not. */
export function withOwnNonce(header: MergedMiningHeader, nonce: number): ProvedHeader {
  return withOwnAux(header, (merkleRoot) => {
    const aux = unsolvedHeader(merkleRoot, header)
    new DataView(aux.buffer).setUint32(HEADER.nonce, nonce, true)
    return aux
  })
}

function withOwnAux(
  header: MergedMiningHeader,
  headerOver: (merkleRoot: Uint8Array) => Uint8Array,
): ProvedHeader {
  // Encoded once, because the compressed items are half the cost of each of the two hashes.
  const compressed = compressedItems(header)
  const work = fromHex(hashForMergedMining(header, compressed))
  for (const bytes of [COINBASE, COMPRESSED]) bytes.set(work, bytes.length - WORK_TO_END)
  const aux = {
    header: copyOf(headerOver(doubleSha256(COINBASE))),
    merkleProof: EMPTY_BYTES,
    coinbase: copyOf(COMPRESSED),
  }
  const proved = { ...header, mergedMining: { ...header.mergedMining, aux } }
  return { header: proved, hash: mergedMiningBlockHash(proved, compressed) }
}

/** A copy in Buffer's shared pool, because V8 allocates system memory for each separate array above 64 bytes. */
function copyOf(bytes: Uint8Array): Uint8Array {
  const { buffer, byteOffset, length } = Buffer.from(bytes)
  return new Uint8Array(buffer, byteOffset, length)
}

/** The aux header of a Merkle root with the lowest nonce that reaches the target of the difficulty. */
function solvedHeader(merkleRoot: Uint8Array, { timestamp, difficulty }: MergedMiningHeader): Uint8Array {
  const header = unsolvedHeader(merkleRoot, { timestamp })
  if (difficulty > MAX_DIFFICULTY) return header
  const target = targetOf(difficulty)
  const view = new DataView(header.buffer)
  for (let nonce = 1; !meetsTarget(doubleSha256(header).reverse(), target); nonce++) {
    view.setUint32(HEADER.nonce, nonce, true)
  }
  return header
}

function unsolvedHeader(
  merkleRoot: Uint8Array,
  { timestamp }: Pick<MergedMiningHeader, 'timestamp'>,
): Uint8Array {
  const header = new Uint8Array(AUX_HEADER_BYTES)
  const view = new DataView(header.buffer)
  view.setUint32(HEADER.version, VERSION, true)
  header.set(merkleRoot, HEADER.merkleRoot)
  view.setUint32(HEADER.time, Number(BigInt.asUintN(32, timestamp)), true)
  view.setUint32(HEADER.bits, BITS, true)
  return header
}
