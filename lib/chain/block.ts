/** Blocks: header, transactions and what became of them, and the blocks beside the chain that they name. */

import { isMergedMining } from './header-fields.ts'
import type { Header } from './header-fields.ts'
import type { Hash } from '../base/hex.ts'
import { invariant } from '../base/invariant.ts'
import type { Outcome } from '../evm/outcome.ts'
import { isSystemTransaction } from '../evm/system-transaction.ts'
import type { Transaction } from '../evm/transaction.ts'
import { headerHash } from './header.ts'
import type { AuxProof } from './merged-mining/proof.ts'
import type { Withdrawal } from './withdrawals.ts'

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
  /** Headers of the blocks beside the chain that it names. */
  readonly uncles: readonly Header[]
  /** Chain id of its transactions, where that was not the network's own (anvil_setChainId). */
  readonly chainId?: bigint
  /** Withdrawals that it credits, where blocks carry them (EIP-4895); absent without any. */
  readonly withdrawals?: readonly Withdrawal[]
  /** Execution requests, a list for each type that has some (EIP-7685); absent without any. The header has their hash. */
  readonly requests?: readonly Uint8Array[]
  /** Difficulties of the chain up to and including this block, those of uncles too. */
  readonly totalDifficulty: bigint
}

/** A block whose hash is not settled: a proof of work may still come into its header. */
export type BlockContent = Omit<Block, 'hash'>

/** The block as it is, without further proof. */
export function withHash(content: BlockContent): Block {
  return { ...content, hash: headerHash(content.header) }
}

/** Hashes of the blocks beside the chain that a block names. */
export function unclesOf({ uncles }: Block): readonly Hash[] {
  return uncles.map(headerHash)
}

/** Difficulty of a block with those of its uncles (node-chain 6.6). */
export function cumulativeDifficulty({ header, uncles }: Pick<Block, 'header' | 'uncles'>): bigint {
  return uncles.reduce((total, { difficulty }) => total + difficulty, header.difficulty)
}

/** The block with the proof of the work on it, which its hash covers. */
export function withProof(block: Block, aux: AuxProof): Block {
  const { header } = block
  invariant(isMergedMining(header), `block ${header.number} is not one of a merged-mining network`)
  const proved = { ...header, mergedMining: { ...header.mergedMining, aux } }
  return withHash({ ...block, header: proved })
}

/** Whether no user's transaction is in a block. */
export const isEmpty = ({ receipts }: Block): boolean =>
  receipts.every(({ transaction }) => isSystemTransaction(transaction))

/** The 256-byte union of the blooms. */
export function unionOfBlooms(blooms: readonly Uint8Array[]): Uint8Array {
  const union = new Uint8Array(256)
  for (const bloom of blooms) {
    for (let index = 0; index < 256; index++) union[index] = (union[index] ?? 0) | (bloom[index] ?? 0)
  }
  return union
}
