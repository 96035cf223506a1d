/** Admission rules of the mempool on merged-mining networks: the checks of the reference node, in its order (node-chain 7.5). */

import { NodeError } from '../../../base/errors.ts'
import type { ErrorKind } from '../../../base/errors.ts'
import { initCodeSizeText, sizesText } from '../../../evm/code-size.ts'
import { maximumCost } from '../../../evm/transaction.ts'
import type { Transaction } from '../../../evm/transaction.ts'
import { MAX_ENCODED_SIZE, bumpedPrice } from '../../consensus/admission.ts'
import type { AdmissionContext } from '../../consensus/admission.ts'
import { poolPriceCap } from '../../consensus/price-caps.ts'

/** Throws an error with two texts: that of this node, which contains the numbers, and that of the reference node. */
function refuse(kind: ErrorKind, message: string, node33Phrase: string): never {
  throw new NodeError(kind, message, { node33Phrase })
}

/**
 * Rejects the transactions that the pool of the reference node rejects, except for two checks. A development chain does
 * not need the gas quota per sender. The system transaction has no signature, so it cannot be sent at all.
 * @throws NodeError of the kind that names the fault
 */
export function checkMergedMiningAdmission(transaction: Transaction, context: AdmissionContext): void {
  checkKnown(transaction, context)
  checkSenderExists(transaction, context)
  checkSize(transaction, context)
  checkGasCap(transaction, context)
  checkNonce(transaction, context)
  checkGasCost(transaction, context)
  checkMinimumGasPrice(transaction, context)
  checkIntrinsicGas(transaction, context)
  checkPriceCap(transaction, context)
  checkReplacement(transaction, context)
  checkTotalCost(transaction, context)
}

function checkKnown({ hash, sender }: Transaction, { mempool, head }: AdmissionContext): void {
  const known = mempool.get(hash)?.transaction
  if (known === undefined) return
  const isQueued = known.nonce >= mempool.nextNonce(sender, head.state.nonce(sender))
  refuse(
    'alreadyKnown',
    `already known: transaction ${hash} is in the pool`,
    `${isQueued ? 'queued' : 'pending'} transaction with same hash already exists`,
  )
}

/** Without intrinsic gas a transaction is a Bridge call of a federation member, which needs no account (node-chain 7.3). */
const isFree = ({ intrinsicGas }: AdmissionContext): boolean => intrinsicGas === 0n

function checkSenderExists({ sender }: Transaction, context: AdmissionContext): void {
  if (isFree(context) || context.head.state.account(sender) !== undefined) return
  refuse(
    'insufficientFunds',
    `insufficient funds: the sender ${sender} has no account: it was never funded`,
    "the sender account doesn't exist",
  )
}

function checkSize(transaction: Transaction, { rules: { maxInitCodeSize } }: AdmissionContext): void {
  const { encoded, to, data } = transaction
  // Without a limit of code size, transactions have none either.
  if (maxInitCodeSize === undefined) return
  if (to === undefined && BigInt(data.length) > maxInitCodeSize) {
    refuse(
      'initCodeTooLarge',
      initCodeSizeText(data.length, maxInitCodeSize),
      `transaction's init code size is invalid: ${sizesText(data.length, maxInitCodeSize)}`,
    )
  }
  if (encoded.length > MAX_ENCODED_SIZE) {
    refuse(
      'transactionRejected',
      `oversized data: transaction size ${encoded.length}, limit ${MAX_ENCODED_SIZE}`,
      `transaction's size is higher than defined maximum: ${encoded.length} > ${MAX_ENCODED_SIZE}`,
    )
  }
}

function checkGasCap({ gasLimit }: Transaction, { rules: { gasCap } }: AdmissionContext): void {
  if (gasLimit <= gasCap) return
  refuse(
    'gasLimitTooHigh',
    `exceeds block gas limit: transaction gas ${gasLimit}, limit ${gasCap}`,
    `transaction's gas limit of ${gasLimit} is higher than the block's gas limit of ${gasCap}`,
  )
}

function checkNonce({ sender, nonce }: Transaction, { head, rules }: AdmissionContext): void {
  const next = head.state.nonce(sender)
  const numbers = `next nonce ${next}, transaction nonce ${nonce}`
  if (nonce < next) refuse('nonceTooLow', `nonce too low: ${numbers}`, 'transaction nonce too low')
  if (rules.nonceGap === undefined || nonce < next + rules.nonceGap) return
  refuse(
    'nonceTooHigh',
    `nonce too high: ${numbers}, at most ${next + rules.nonceGap - 1n} is accepted`,
    'transaction nonce too high',
  )
}

/** Checks the cost of gas alone. The last check adds the value and the sender's other transactions. */
function checkGasCost(transaction: Transaction, context: AdmissionContext): void {
  if (isFree(context)) return
  const { sender, gasLimit, maxFeePerGas } = transaction
  const balance = context.head.state.balance(sender)
  const cost = gasLimit * maxFeePerGas
  if (balance >= cost) return
  refuse(
    'insufficientFunds',
    `insufficient funds for gas * price: address ${sender} have ${balance}, want ${cost}`,
    'insufficient funds',
  )
}

function checkMinimumGasPrice({ maxFeePerGas }: Transaction, { rules }: AdmissionContext): void {
  if (maxFeePerGas >= rules.minimumGasPrice) return
  refuse(
    'feeTooLow',
    `transaction underpriced: gas price ${maxFeePerGas}, minimum gas price ${rules.minimumGasPrice}`,
    "transaction's gas price lower than block's minimum",
  )
}

function checkIntrinsicGas({ gasLimit }: Transaction, { intrinsicGas }: AdmissionContext): void {
  if (gasLimit >= intrinsicGas) return
  refuse(
    'intrinsicGasTooLow',
    `intrinsic gas too low: have ${gasLimit}, want ${intrinsicGas}`,
    "transaction's basic cost is above the gas limit",
  )
}

function checkPriceCap({ maxFeePerGas }: Transaction, { head }: AdmissionContext): void {
  const cap = poolPriceCap(head.block.header)
  if (cap === undefined || maxFeePerGas <= cap) return
  refuse(
    'feeTooHigh',
    `gas price too high: gas price ${maxFeePerGas}, at most ${cap} is accepted`,
    "transaction's gas price exceeds cap",
  )
}

function checkReplacement(transaction: Transaction, { mempool, rules }: AdmissionContext): void {
  const { sender, nonce, maxFeePerGas } = transaction
  const replaced = mempool.find(sender, nonce)?.transaction.maxFeePerGas
  if (replaced === undefined) return
  const minPrice = bumpedPrice(replaced, rules.priceBump)
  if (maxFeePerGas >= minPrice) return
  refuse(
    'underpriced',
    `replacement transaction underpriced: gasPrice ${maxFeePerGas}, at least ${minPrice} is needed`,
    'gas price not enough to bump transaction',
  )
}

/** The sender must be able to pay for all its pending transactions. Queued transactions are not checked. */
function checkTotalCost(transaction: Transaction, { head, mempool }: AdmissionContext): void {
  const { sender, nonce } = transaction
  const accountNonce = head.state.nonce(sender)
  if (nonce > mempool.nextNonce(sender, accountNonce)) return
  const others = mempool
    .pending(sender, accountNonce)
    .filter((pending) => pending.transaction.nonce !== nonce)
  const reserved = others.reduce((total, pending) => total + maximumCost(pending.transaction), 0n)
  const balance = head.state.balance(sender)
  const cost = maximumCost(transaction)
  if (balance >= reserved + cost) return
  refuse(
    'insufficientFunds',
    `insufficient funds for gas * price + value: address ${sender} have ${balance}, ${reserved} of it for other pending transactions, want ${cost}`,
    'insufficient funds to pay for pending and new transactions',
  )
}
