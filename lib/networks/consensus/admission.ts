/** Input of the admission checks of the mempool. Each consensus implements the checks. */

import { NodeError } from '../../base/errors.ts'
import type { Address, Hash } from '../../base/hex.ts'
import type { BlobRules } from '../../evm/rules.ts'
import type { Transaction } from '../../evm/transaction.ts'
import type { StateRoot } from '../../state/state-root.ts'
import type { Header } from './header-fields.ts'

/** Rules and prices that blobs are checked against. */
export interface BlobAdmission {
  readonly rules: BlobRules
  /** Wei per blob gas in the next block. */
  readonly nextBaseFee: bigint
}

/** Limits and prices of the network for admission. */
export interface AdmissionRules {
  /** Maximum gas limit of one transaction in the next block. */
  readonly gasCap: bigint
  /** Maximum gas limit of one transaction in every block (EIP-7825); absent without a cap. */
  readonly eipGasCap?: bigint | undefined
  /** Maximum bytes of init code; absent without a limit. */
  readonly maxInitCodeSize: bigint | undefined
  /** Wei per gas. */
  readonly minimumGasPrice: bigint
  /** Base fee of the next block in wei; zero on a network without a base fee. */
  readonly nextBaseFee: bigint
  /** Absent if the hard fork has no blobs. */
  readonly blobs?: BlobAdmission | undefined
  /** Percent by which a replacement must pay more. */
  readonly priceBump: bigint
  /** The nonce of a transaction must be below the account's nonce plus this number; absent without a limit. */
  readonly nonceGap: bigint | undefined
}

/** A transaction in the pool. */
interface Pooled {
  readonly transaction: Transaction
}

/** The pool of the chain. */
export interface TransactionPool {
  /** A pooled transaction by its hash. */
  get(hash: Hash): Pooled | undefined
  /** The pooled transaction of a sender and nonce. */
  find(sender: Address, nonce: bigint): Pooled | undefined
  /** Transactions of a sender that can be mined, by nonce. */
  pending(sender: Address, accountNonce: bigint): readonly Pooled[]
  /** The nonce after those of the transactions that can be mined. */
  nextNonce(sender: Address, accountNonce: bigint): bigint
}

/** State, pool and rules that a transaction is checked against. */
export interface AdmissionContext {
  readonly head: { readonly block: { readonly header: Header }; readonly state: StateRoot }
  readonly mempool: TransactionPool
  readonly rules: AdmissionRules
  /** Intrinsic gas of the transaction. */
  readonly intrinsicGas: bigint
}

/** Maximum bytes of an encoded transaction (node-chain 7.5; geth's txMaxSize). */
export const MAX_ENCODED_SIZE = 131_072

/** @throws NodeError 'feeTooLow' if the tip is above the maximum fee (geth, core/error.go, ErrTipAboveFeeCap). */
export function checkTip({
  maxFeePerGas,
  maxPriorityFeePerGas,
}: Pick<Transaction, 'maxFeePerGas' | 'maxPriorityFeePerGas'>): void {
  if (maxPriorityFeePerGas <= maxFeePerGas) return
  throw new NodeError(
    'feeTooLow',
    `max priority fee per gas higher than max fee per gas: ${maxPriorityFeePerGas} > ${maxFeePerGas}`,
  )
}

/** The minimum price of a replacement: `percent` higher, and at least 1 wei. */
export function bumpedPrice(price: bigint, percent: bigint): bigint {
  const bumped = (price * (100n + percent)) / 100n
  return bumped > price ? bumped : price + 1n
}
