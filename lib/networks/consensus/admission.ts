/** Input of the admission rules of the mempool, and the rules that all networks have. Each consensus adds its own. */

import { NodeError, type CommonKind } from '../../base/errors.ts'
import type { Address, Hash } from '../../base/hex.ts'
import { PHRASES, type Phrases } from '../../config/phrases.ts'
import type { BlobRules } from '../../evm/rules.ts'
import { initCodeSizeText } from '../../evm/transaction-gas.ts'
import type { Transaction } from '../../evm/transaction.ts'
import type { StateRoot } from '../../state/state-root.ts'

interface BlobAdmission {
  readonly rules: BlobRules
  /** Wei per blob gas in the next block. */
  readonly nextBaseFee: bigint
}

interface HeaderLimits {
  /** Wei per gas. */
  readonly minimumGasPrice: bigint
  readonly gasLimit: bigint
}

export interface AdmissionRules {
  /** Maximum gas limit of one transaction in the next block. */
  readonly gasCap: bigint
  readonly blockGasLimit: bigint
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
  /** Whether a block is mined for the transaction at once. */
  readonly isMinedAtOnce: boolean
  /** The gas that senders have left; absent if the pool does not count it. */
  readonly quotas?: SenderQuotas | undefined
}

interface Pooled {
  readonly transaction: Transaction
}

export interface ArrivedTransaction extends Pooled {
  readonly arrival: number
}

/** What a sender can spend. */
export interface Quota {
  /** Milliseconds since the epoch. */
  readonly timestamp: number
  readonly availableVirtualGas: number
}

/** Counts the gas of senders. */
export interface SenderQuotas {
  readonly of: (sender: Address) => Quota | undefined
  /** Whether the sender can pay for a transaction; if so, it pays. */
  readonly accept: (transaction: Transaction, context: AdmissionContext) => boolean
}

interface TransactionPool {
  get(hash: Hash): Pooled | undefined
  find(sender: Address, nonce: bigint): Pooled | undefined
  pending(sender: Address, accountNonce: bigint): readonly Pooled[]
  /** The nonce after those of the transactions that can be mined. */
  nextNonce(sender: Address, accountNonce: bigint): bigint
}

/** State, pool and rules that a transaction is checked against. */
export interface AdmissionContext {
  readonly head: { readonly block: { readonly header: HeaderLimits }; readonly state: StateRoot }
  readonly mempool: TransactionPool
  readonly rules: AdmissionRules
  readonly intrinsicGas: bigint
}

/** Why a transaction is refused. */
export interface AdmissionRefusal {
  readonly kind: CommonKind
  readonly message: string
  readonly phrases?: Phrases
}

/** A rule of the pool. It returns a refusal if the transaction breaks it. */
export type AdmissionRule = (
  transaction: Transaction,
  context: AdmissionContext,
) => AdmissionRefusal | undefined

/** The transaction is not in the pool. */
export const isNew: AdmissionRule = ({ hash }, { mempool }) => {
  if (mempool.get(hash) === undefined) return undefined
  const message = `already known: transaction ${hash} is in the pool`
  return { kind: 'alreadyKnown', message, phrases: PHRASES.alreadyKnown(hash) }
}

export const fitsInitCodeLimit: AdmissionRule = ({ to, data }, { rules: { maxInitCodeSize: limit } }) => {
  if (to !== undefined || limit === undefined || BigInt(data.length) <= limit) return undefined
  const { length } = data
  const phrases = PHRASES.initCodeTooLarge(length, limit)
  return { kind: 'initCodeTooLarge', message: initCodeSizeText(length, limit), phrases }
}

/** Maximum bytes of an encoded transaction (node-chain 7.5; geth's txMaxSize). */
export const MAX_ENCODED_SIZE = 131_072

/** The encoding is not too long. Without a code size limit, transactions have no limit either. */
export const fitsSizeLimit: AdmissionRule = ({ encoded }, { rules: { maxInitCodeSize } }) => {
  if (maxInitCodeSize === undefined || encoded.length <= MAX_ENCODED_SIZE) return undefined
  const message = `oversized data: transaction size ${encoded.length}, limit ${MAX_ENCODED_SIZE}`
  return { kind: 'transactionRejected', message }
}

export const fitsBlock: AdmissionRule = ({ gasLimit }, { rules: { gasCap } }) => {
  if (gasLimit <= gasCap) return undefined
  const message = `exceeds block gas limit: transaction gas ${gasLimit}, limit ${gasCap}`
  return { kind: 'gasLimitTooHigh', message, phrases: PHRASES.aboveBlockGasLimit(gasLimit, gasCap) }
}

export const coversIntrinsicGas: AdmissionRule = ({ gasLimit }, { intrinsicGas }) => {
  if (gasLimit >= intrinsicGas) return undefined
  return {
    kind: 'intrinsicGasTooLow',
    message: `intrinsic gas too low: have ${gasLimit}, want ${intrinsicGas}`,
    phrases: PHRASES.belowIntrinsicGas(gasLimit, intrinsicGas),
  }
}

/** The nonce is not below the account's nonce, and the pool accepts the gap between them. */
export const hasUsableNonce: AdmissionRule = ({ sender, nonce }, { head, rules }) => {
  const { nonceGap, isMinedAtOnce } = rules
  const next = head.state.nonce(sender)
  const numbers = `next nonce ${next}, transaction nonce ${nonce}`
  if (nonce < next) {
    const phrases = PHRASES.nonceTooLow({ next, nonce }, isMinedAtOnce)
    return { kind: 'nonceTooLow', message: `nonce too low: ${numbers}`, phrases }
  }
  if (nonceGap === undefined || nonce < next + nonceGap) return undefined
  const message = `nonce too high: ${numbers}, at most ${next + nonceGap - 1n} is accepted: at most ${nonceGap} transactions of a sender can wait for a block`
  return { kind: 'nonceTooHigh', message }
}

export const paysMinimumGasPrice =
  (priceOf: (transaction: Transaction) => bigint): AdmissionRule =>
  (transaction, { rules: { minimumGasPrice } }) => {
    const price = priceOf(transaction)
    if (price >= minimumGasPrice) return undefined
    const message = `transaction underpriced: gas price ${price}, minimum gas price ${minimumGasPrice}`
    return { kind: 'feeTooLow', message }
  }

/** @throws NodeError 'invalidTransaction' if the tip is above the maximum fee (geth, core/error.go, ErrTipAboveFeeCap). */
export function checkTip({
  maxFeePerGas,
  maxPriorityFeePerGas,
}: Pick<Transaction, 'maxFeePerGas' | 'maxPriorityFeePerGas'>): void {
  if (maxPriorityFeePerGas <= maxFeePerGas) return
  throw new NodeError(
    'invalidTransaction',
    `max priority fee per gas higher than max fee per gas: ${maxPriorityFeePerGas} > ${maxFeePerGas}`,
    { isInput: true, phrases: PHRASES.tipAboveFee(maxPriorityFeePerGas, maxFeePerGas) },
  )
}

/** The minimum price of a replacement: `percent` higher, and at least 1 wei. */
export function bumpedPrice(price: bigint, percent: bigint): bigint {
  const bumped = (price * (100n + percent)) / 100n
  return bumped > price ? bumped : price + 1n
}
