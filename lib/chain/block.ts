/** Sealed blocks: header, transactions and what became of them. */

import { bigIntToBytes, fromHex } from '../base/hex.ts'
import type { Hash } from '../base/hex.ts'
import { invariant } from '../base/invariant.ts'
import { encodeRlp } from '../base/rlp.ts'
import type { Outcome } from '../evm/outcome.ts'
import type { Transaction } from '../evm/transaction.ts'
import { orderedProof } from '../state/trie.ts'
import { NO_UNCLES_HASH, headerItems } from './header.ts'
import type { Header } from './header.ts'

/** A transaction in its block. */
export interface Receipt {
  readonly transaction: Transaction
  readonly outcome: Outcome
  readonly index: number
  /** Gas of the block up to and including this transaction. */
  readonly cumulativeGasUsed: bigint
  /** Position of its first log in the block. */
  readonly firstLogIndex: number
  /** Wei paid per gas. */
  readonly effectiveGasPrice: bigint
}

/** A block that nothing changes any more. */
export interface Block {
  readonly header: Header
  readonly hash: Hash
  readonly receipts: readonly Receipt[]
  /** Difficulties of the chain up to and including this block. */
  readonly totalDifficulty: bigint
}

/** Hashes of the blocks beside the chain that a block names: none, for one miner makes every block. */
export function unclesOf({ header }: Block): readonly Hash[] {
  invariant(header.unclesHash === NO_UNCLES_HASH, `block ${header.number} has uncles that nobody stored`)
  return []
}

/** Bytes of the encoded block: header, transactions, uncles and withdrawals. */
export function blockSize({ header, receipts }: Block): number {
  // A legacy transaction stands in the body as the list it is, a typed one as a byte string.
  const transactions = receipts.map(({ transaction: { type, encoded } }) =>
    type === 0 ? encoded.length : itemLength(encoded.length),
  )
  const body = encodeRlp(headerItems(header)).length + itemLength(sum(transactions)) + EMPTY_LIST
  return itemLength(header.withdrawalsRoot === undefined ? body : body + EMPTY_LIST)
}

/** Bytes of an empty RLP list. */
const EMPTY_LIST = 1

/** Bytes of an RLP list, or of a longer string, with its length prefix. */
function itemLength(payload: number): number {
  return payload < 56 ? payload + 1 : payload + 1 + bigIntToBytes(BigInt(payload)).length
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

/** The 256-byte union of the blooms. */
export function unionOfBlooms(blooms: readonly Uint8Array[]): Uint8Array {
  const union = new Uint8Array(256)
  for (const bloom of blooms) {
    for (let index = 0; index < 256; index++) union[index] = (union[index] ?? 0) | (bloom[index] ?? 0)
  }
  return union
}

/** Consensus encoding of a receipt: status, gas, bloom and logs, behind the type byte of a typed one (EIP-2718). */
export function encodeReceipt({ transaction, outcome, cumulativeGasUsed }: Receipt): Uint8Array {
  const logs = outcome.logs.map((log) => [fromHex(log.address), log.topics.map(fromHex), log.data])
  const status = outcome.status === 'success' ? Uint8Array.of(1) : new Uint8Array(0)
  const body = encodeRlp([status, bigIntToBytes(cumulativeGasUsed), outcome.logsBloom, logs])
  if (transaction.type === 0) return body
  const typed = new Uint8Array(body.length + 1)
  typed[0] = transaction.type
  typed.set(body, 1)
  return typed
}

/** Nodes of the receipt trie from a receipt's leaf up to the root, whose hash is the block's `receiptsRoot`. */
export function receiptNodes({ receipts }: Block, index: number): readonly Uint8Array[] {
  return orderedProof(receipts.map(encodeReceipt), index).reverse()
}
