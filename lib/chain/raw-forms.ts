/**
 * Encodes headers, blocks, transactions and receipts for clients. Remote blocks may have unknown members and types: the node
 * refuses to encode them if the result does not match the block's hash.
 */

import { NodeError } from '../base/errors.ts'
import { toHash } from '../base/hex.ts'
import type { Network } from '../config/network.ts'
import { LEGACY_TYPE, type Transaction } from '../evm/transaction.ts'
import { orderedRoot, orderedProof } from '../state/trie.ts'
import { encodeRlp, encodeRlpList } from '../base/rlp.ts'
import { withdrawalItems } from '../networks/consensus/withdrawals.ts'
import type { Block } from './block.ts'
import { NO_REQUESTS_HASH, encodeHeader, headerHash, headerItems } from './header.ts'

export function encodeBlock({ header, receipts, uncles, withdrawals = [] }: Block): Uint8Array {
  const items = [
    encodeRlp(headerItems(header)),
    // A legacy transaction is a list in the body, a typed one a byte string (EIP-2718).
    encodeRlpList(
      receipts.map(({ transaction: { type, encoded } }) =>
        type === LEGACY_TYPE ? encoded : encodeRlp(encoded),
      ),
    ),
    encodeRlp(uncles.map(headerItems)),
  ]
  if (header.withdrawalsRoot !== undefined) items.push(encodeRlp(withdrawals.map(withdrawalItems)))
  return encodeRlpList(items)
}

/** Length of the encoded block in bytes. For a remote block, it is what the remote returned. */
export const blockSize = (block: Block): number => block.remote?.size ?? encodeBlock(block).length

/** The encoded header of a block. @throws NodeError 'remoteFailed' */
export function rawHeader(block: Block): Uint8Array {
  const { header, hash, remote } = block
  if (remote !== undefined && headerHash(header) !== hash)
    throw unknownForm(`header of block ${header.number}`)
  return encodeHeader(header)
}

/** The encoded block. @throws NodeError 'remoteFailed' */
export function rawBlock(block: Block): Uint8Array {
  rawHeader(block)
  for (const { transaction } of block.receipts) rawTransaction(transaction)
  return encodeBlock(block)
}

/** The encoding of a mined transaction. @throws NodeError 'remoteFailed' */
export function rawTransaction({ hash, encoded }: Transaction): Uint8Array {
  if (encoded.length === 0) throw unknownForm(`transaction ${hash}`)
  return encoded
}

/** The receipts of a block as they stand in its receipt trie. @throws NodeError 'remoteFailed' */
export function rawReceipts(
  network: Pick<Network, 'kind'>,
  { header, receipts, remote }: Block,
): readonly Uint8Array[] {
  const encoded = receipts.map(network.kind.consensus.encodeReceipt)
  const isOther = () => toHash(orderedRoot(encoded)) !== header.receiptsRoot
  if (remote !== undefined && encoded.length > 0 && isOther())
    throw unknownForm(`receipts of block ${header.number}`)
  return encoded
}

/** The execution requests of a block (EIP-7685). @throws NodeError 'remoteFailed' for those of a remote block */
export function requestsOf({ header, requests = [], remote }: Block): readonly Uint8Array[] {
  const hasSome = header.requestsHash !== undefined && header.requestsHash !== NO_REQUESTS_HASH
  if (remote !== undefined && hasSome)
    throw new NodeError(
      'remoteFailed',
      `block ${header.number} is one of the remote, which does not tell the execution requests of its blocks`,
    )
  return requests
}

const unknownForm = (what: string): NodeError =>
  new NodeError(
    'remoteFailed',
    `the ${what} of the remote has members that this node does not know: its encoding would have another hash`,
  )

/** Merkle proof of a receipt: nodes of the receipt trie from its leaf up to the root, whose hash is `receiptsRoot`. */
export const receiptNodes = (network: Network, block: Block, index: number): readonly Uint8Array[] =>
  orderedProof(rawReceipts(network, block), index).reverse()
