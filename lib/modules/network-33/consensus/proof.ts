/** Checks the proof of work of a merged-mined block (node-chain 6.7). */

import { AUX_HEADER_BYTES } from '../../../base/aux-reader.ts'
import { EMPTY_BYTES, equalBytes, fromHex, type Hash } from '../../../base/hex.ts'
import { doubleSha256 } from '../../../crypto/sha256.ts'
import { MERGED_MINING_TAG, coinbaseId, decodeCoinbase } from './coinbase.ts'
import { meetsTarget } from '../../../networks/consensus/target.ts'
import { toInternalOrder } from '../bridge/aux-header.ts'
import { branchRoot } from '../bridge/merkle.ts'

/** The members of an aux block that a header contains. */
export interface AuxProof {
  /** The aux header: 80 bytes. */
  readonly header: Uint8Array
  /** Merkle branch of its coinbase transaction: siblings of 32 bytes each in display order. */
  readonly merkleProof: Uint8Array
  /** The coinbase transaction as coinbase.ts compresses it. */
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

/**
 * The tag must begin in the first 64 bytes of the tail, and the coinbase must be longer than that: a shorter one could be
 * forged from a midstate.
 */
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
