/** Blocks: header, receipts with their transactions, uncles and withdrawals. */

import type { Hash } from '../base/hex.ts'
import type { Outcome } from '../evm/outcome.ts'
import { isSystemTransaction } from '../evm/system-transaction.ts'
import type { Transaction } from '../evm/transaction.ts'
import type { SealedHeader, Header } from '../networks/consensus/consensus.ts'
import type { Withdrawal } from '../networks/consensus/withdrawals.ts'
import { headerHash } from './header.ts'

export interface Receipt {
  readonly transaction: Transaction
  readonly outcome: Outcome
  readonly index: number
  readonly cumulativeGasUsed: bigint
  readonly firstLogIndex: number
  /** Wei paid per gas. */
  readonly effectiveGasPrice: bigint
}

/** Members of a remote block as its node returned them: headers of other networks may have fields that this node does not know. */
export interface RemoteMembers {
  readonly uncleHashes: readonly Hash[]
  /** Bytes of the encoded block; absent if the remote does not say. */
  readonly size: number | undefined
  /** Difficulty of the block plus that of its uncles; absent if the remote does not say. */
  readonly cumulativeDifficulty: bigint | undefined
}

/** A complete block; it never changes. */
export interface Block {
  readonly header: Header
  readonly hash: Hash
  readonly receipts: readonly Receipt[]
  readonly uncles: readonly Header[]
  /** Chain id of its transactions, if it differed from the network's (anvil_setChainId). */
  readonly chainId?: bigint | undefined
  /** Withdrawals that it credits (EIP-4895); absent if it has none. */
  readonly withdrawals?: readonly Withdrawal[] | undefined
  /** Execution requests, one list per type (EIP-7685); absent if it has none. The header has their hash. */
  readonly requests?: readonly Uint8Array[] | undefined
  /** Encoded access list (EIP-7928); absent if its hash is not in the header, or if the list is unknown. */
  readonly accessList?: Uint8Array | undefined
  /** Sum of the difficulties up to and including this block. Those of uncles count (node-chain 6.6); in geth they do not. */
  readonly totalDifficulty: bigint
  readonly remote?: RemoteMembers | undefined
}

/** Gas of a block: what transactions paid for, or without refunds the greater of state gas and other gas (EIP-7778, 8037). */
export class BlockGas {
  state = 0n
  other = 0n

  add({ gasUsed, blockGas }: Pick<Outcome, 'gasUsed' | 'blockGas'>): void {
    this.state += blockGas?.state ?? 0n
    this.other += blockGas?.other ?? gasUsed
  }

  get used(): bigint {
    return this.state > this.other ? this.state : this.other
  }
}

/** A block without its hash: a proof of work may still be added to its header. */
export type BlockContent = Omit<Block, 'hash'>

export function withHash(content: BlockContent): Block {
  const { header } = content
  return withSealedHeader(content, { header, hash: headerHash(header) })
}

/** Adds the node's own proof of work to a block, if blocks have one, and the hash. */
export const sealBlockContent = (content: BlockContent): Block =>
  withSealedHeader(content, content.header.consensus.seal(content.header))

/** Avoids a spread: V8 creates a hidden class for each result of a spread and keeps it as long as the object. */
function withSealedHeader(content: BlockContent, { header, hash }: SealedHeader): Block {
  const { receipts, uncles, chainId, withdrawals, requests, accessList, totalDifficulty } = content
  return { header, hash, receipts, uncles, chainId, withdrawals, requests, accessList, totalDifficulty }
}

export const uncleHashesOf = ({ remote, uncles }: Pick<Block, 'remote' | 'uncles'>): readonly Hash[] =>
  remote === undefined ? uncles.map(headerHash) : remote.uncleHashes

/** Difficulty of a block plus that of its uncles; header precompiles and JSON-RPC call it cumulative (node-chain 6.6). */
export function cumulativeDifficulty(block: Pick<Block, 'header' | 'uncles' | 'remote'>): bigint {
  const known = block.remote?.cumulativeDifficulty
  if (known !== undefined) return known
  return block.uncles.reduce((total, { difficulty }) => total + difficulty, block.header.difficulty)
}

/** Whether a block has no transactions of users. The network can end each block with one of its own, which pays the miner. */
export const isEmpty = ({ receipts }: Block): boolean =>
  receipts.every(({ transaction }) => isSystemTransaction(transaction))

/** Bitwise OR of blooms of 256 bytes. */
export function unionOfBlooms(blooms: readonly Uint8Array[]): Uint8Array {
  const union = new Uint8Array(256)
  for (const bloom of blooms) {
    for (let index = 0; index < 256; index++) union[index] = (union[index] ?? 0) | (bloom[index] ?? 0)
  }
  return union
}

/** Selects a block by tag, number or hash. */
export type BlockSelector =
  | { readonly tag: 'latest' | 'earliest' | 'safe' | 'finalized' }
  | { readonly number: bigint }
  | { readonly hash: Hash; readonly requireCanonical?: boolean }

export function selectorName(selector: BlockSelector): string {
  if ('hash' in selector) return `with hash ${selector.hash}`
  return 'number' in selector ? `0x${selector.number.toString(16)}` : selector.tag
}

/**
 * Whether a block that does not follow the head replaces it. The greater total difficulty wins. If both are equal, a block with
 * more than twice the fees of the head wins, and one with more than half of them if its hash is lower (node-chain 6.11; on
 * Ethereum the fees are zero, and the head remains). Without difficulty (after the merge), the longer chain wins.
 */
export function outweighs(newcomer: Block, head: Block): boolean {
  if (newcomer.totalDifficulty !== head.totalDifficulty) {
    return newcomer.totalDifficulty > head.totalDifficulty
  }
  if (newcomer.totalDifficulty === 0n) return newcomer.header.number > head.header.number
  const [newFees, headFees] = [newcomer.header.paidFees, head.header.paidFees]
  // Hashes have the same length and case, so their strings compare like their bytes.
  return newFees > 2n * headFees || (headFees < 2n * newFees && newcomer.hash < head.hash)
}
