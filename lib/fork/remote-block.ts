/** A block of the remote chain whose receipts and uncles are loaded when they are read. */

import type { Hash } from '../base/hex.ts'
import { present } from '../base/invariant.ts'
import type { Block, Receipt, RemoteMembers } from '../chain/block.ts'
import type { Header } from '../consensus/header-fields.ts'
import type { Withdrawal } from '../consensus/withdrawals.ts'
import type { Outcome } from '../evm/outcome.ts'
import type { Transaction } from '../evm/transaction.ts'
import type { RemoteBlock } from './parse/block.ts'
import type { MinedTransaction } from './parse/transaction.ts'

/** Reads the parts of a block that its block object does not contain. Both throw `NotLoadedError`. */
export interface BlockParts {
  readonly receipts: () => readonly Receipt[]
  readonly uncles: () => readonly Header[]
}

/** A block of the remote. */
export class LoadedBlock implements Block {
  readonly header: Header
  readonly hash: Hash
  readonly receipts: readonly Receipt[]
  readonly withdrawals: readonly Withdrawal[] | undefined
  readonly totalDifficulty: bigint
  readonly remote: RemoteMembers
  readonly #parts: BlockParts

  constructor(
    { header, hash, transactions, withdrawals, totalDifficulty, remote }: RemoteBlock,
    parts: BlockParts,
  ) {
    this.header = header
    this.hash = hash
    this.receipts = transactions.map((mined) => new LoadedReceipt(mined, parts))
    this.withdrawals = withdrawals
    this.totalDifficulty = totalDifficulty
    this.remote = remote
    this.#parts = parts
  }

  get uncles(): readonly Header[] {
    return this.remote.uncleHashes.length === 0 ? [] : this.#parts.uncles()
  }
}

/** A receipt of the remote. The block object has its transaction; the rest is loaded with the receipts of the whole block. */
class LoadedReceipt implements Receipt {
  readonly transaction: Transaction
  readonly index: number
  readonly effectiveGasPrice: bigint
  readonly #parts: BlockParts

  constructor({ transaction, index, effectiveGasPrice }: MinedTransaction, parts: BlockParts) {
    this.transaction = transaction
    this.index = index
    this.effectiveGasPrice = effectiveGasPrice
    this.#parts = parts
  }

  get outcome(): Outcome {
    return this.#loaded.outcome
  }

  get cumulativeGasUsed(): bigint {
    return this.#loaded.cumulativeGasUsed
  }

  get firstLogIndex(): number {
    return this.#loaded.firstLogIndex
  }

  get #loaded(): Receipt {
    return present(this.#parts.receipts()[this.index], 'receipt of a remote block')
  }
}
