/**
 * Decodes aux blocks that miners submit. An aux block is a block of the auxiliary chain; it proves the work of a block of
 * this chain, because its coinbase transaction contains that block's hash.
 */

import { AUX_HEADER_BYTES, AuxReader } from '../../../base/aux-reader.ts'
import { NodeError } from '../../../base/errors.ts'
import { fromHex, toHash, type Hash } from '../../../base/hex.ts'
import { MERGED_MINING_TAG, compressCoinbase, encodeCoinbase } from './coinbase.ts'
import type { AuxProof } from './proof.ts'
import { merkleLevels } from '../bridge/merkle.ts'
import { readTransactionParts } from '../bridge/aux-transaction.ts'
import { doubleSha256 } from '../../../crypto/sha256.ts'

/** The members of an aux block that its proof of work consists of. */
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
  if (coinbase === undefined) throw new NodeError('invalidParams', 'block: expected at least one transaction')
  return { header, coinbase, branch: branchOfFirst(transactions.map(doubleSha256)) }
}

/**
 * Builds a block from header, coinbase transaction and the ids of all transactions in display order.
 * @throws NodeError 'invalidParams'
 */
export function auxBlockOfIds(header: Uint8Array, coinbase: Uint8Array, ids: readonly Hash[]): AuxBlock {
  if (ids.length === 0) {
    throw new NodeError(
      'invalidParams',
      'transactionHashes: expected the ids of all transactions, the coinbase first',
    )
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
    throw new NodeError('invalidParams', `header: expected ${AUX_HEADER_BYTES} bytes, got ${header.length}`)
  }
  const reader = readerOf(coinbase, 'coinbase')
  const transaction = readTransactionParts(reader)
  reader.end()
  return { header, coinbase: transaction.withoutWitness }
}

/** A reader of a param. It throws NodeError 'invalidParams'. */
const readerOf = (bytes: Uint8Array, name: string): AuxReader =>
  new AuxReader(bytes, (fault) => new NodeError('invalidParams', `${name}: ${fault}`))

/** Merkle branch of the first leaf. */
const branchOfFirst = (leaves: readonly Uint8Array[]): readonly Uint8Array[] =>
  merkleLevels(leaves).flatMap(([, sibling]) => sibling ?? [])
