/** Admission rules of the mempool on merged-mining networks: the checks of the reference node, in its order (node-chain 7.5). */

import { NodeError } from '../../../base/errors.ts'
import { delegationOf } from '../../../evm/delegation.ts'
import { effectiveGasPrice, maximumCost, type Transaction } from '../../../evm/transaction.ts'
import {
  MAX_ENCODED_SIZE,
  bumpedPrice,
  checkTip,
  coversIntrinsicGas,
  fitsBlock,
  fitsInitCodeLimit,
  fitsSizeLimit,
  hasUsableNonce,
  isNew,
  paysMinimumGasPrice,
  poolPriceCap,
  type AdmissionContext,
  type AdmissionRule,
  type AdmissionRules,
} from '../../../networks/consensus/admission.ts'
import { isFreeBridgeCall } from '../rules.ts'

/**
 * Rejects the transactions that the pool of the reference node rejects, except for the system transaction, which has no
 * signature and cannot be sent at all. An error has two texts: this node's own, which contains the numbers, and the text of the reference node.
 * @throws NodeError of the kind that names the fault
 */
export function checkMergedMiningAdmission(transaction: Transaction, context: AdmissionContext): void {
  checkTip(transaction)
  for (const [rule, phraseOf] of RULES) {
    const refusal = rule(transaction, context)
    if (refusal === undefined) continue
    const node33 = typeof phraseOf === 'function' ? phraseOf(transaction, context) : phraseOf
    const reserved = refusal.kind === 'gasLimitTooHigh' ? reservedText(context.rules) : ''
    throw new NodeError(refusal.kind, `${refusal.message}${reserved}`, { phrases: { node33 } })
  }
}

/** The price that a transaction pays: there is no base fee (IP-546). */
export const pooledPrice = (transaction: Transaction): bigint => effectiveGasPrice(transaction, 0n)

/** Without intrinsic gas a transaction is a Bridge call of a federation member, which needs no account (node-chain 7.3). */
const isFree = ({ intrinsicGas }: AdmissionContext): boolean => intrinsicGas === 0n

const hasSender: AdmissionRule = ({ sender }, context) => {
  if (isFree(context) || context.head.state.account(sender) !== undefined) return undefined
  const message = `insufficient funds: the sender ${sender} has no account: it was never funded`
  return { kind: 'insufficientFunds', message }
}

/** The sender can pay for the gas alone. The last rule adds the value and the sender's other transactions. */
const hasFundsForGas: AdmissionRule = (transaction, context) => {
  const { sender, gasLimit } = transaction
  if (isFree(context)) return undefined
  const balance = context.head.state.balance(sender)
  const cost = gasLimit * pooledPrice(transaction)
  if (balance >= cost) return undefined
  const message = `insufficient funds for gas * price: address ${sender} have ${balance}, want ${cost}`
  return { kind: 'insufficientFunds', message }
}

const fitsPriceCap: AdmissionRule = (transaction, { head }) => {
  const cap = poolPriceCap(head.block.header)
  const price = pooledPrice(transaction)
  if (cap === undefined || price <= cap) return undefined
  const message = `gas price too high: gas price ${price}, at most ${cap} is accepted`
  return { kind: 'feeTooHigh', message }
}

/** A queued transaction is replaced at any price (node-rpc 6). */
const paysForReplacement: AdmissionRule = (transaction, { head, mempool, rules }) => {
  const { sender, nonce } = transaction
  const replaced = mempool.find(sender, nonce)?.transaction
  if (replaced === undefined || nonce >= mempool.nextNonce(sender, head.state.nonce(sender))) return undefined
  const minPrice = bumpedPrice(pooledPrice(replaced), rules.priceBump)
  const price = pooledPrice(transaction)
  if (price >= minPrice) return undefined
  const message = `replacement transaction underpriced: gasPrice ${price}, at least ${minPrice} is needed`
  return { kind: 'underpriced', message }
}

/** The sender has gas left in its quota, if the pool has quotas. Queued transactions are not checked. */
const hasQuota: AdmissionRule = (transaction, context) => {
  const { head, mempool, rules } = context
  const { sender, nonce } = transaction
  if (rules.quotas === undefined || nonce > mempool.nextNonce(sender, head.state.nonce(sender)))
    return undefined
  if (rules.quotas.accept(transaction, context)) return undefined
  return { kind: 'transactionRejected', message: `the gas quota of ${sender} is used up` }
}

/** Maximum cost of a transaction; of a free one its value alone. */
const costOf = (transaction: Transaction): bigint =>
  isFreeBridgeCall(transaction.sender, transaction.to)
    ? transaction.value
    : maximumCost(transaction, pooledPrice(transaction))

/** The sender can pay for all its pending transactions. Queued transactions are not checked. */
const hasFunds: AdmissionRule = (transaction, { head, mempool }) => {
  const { sender, nonce } = transaction
  const accountNonce = head.state.nonce(sender)
  if (nonce > mempool.nextNonce(sender, accountNonce)) return undefined
  const others = mempool
    .pending(sender, accountNonce)
    .filter((pending) => pending.transaction.nonce !== nonce)
  const reserved = others.reduce((total, pending) => total + costOf(pending.transaction), 0n)
  const balance = head.state.balance(sender)
  const cost = costOf(transaction)
  if (balance >= reserved + cost) return undefined
  return {
    kind: 'insufficientFunds',
    message: `insufficient funds for gas * price + value: address ${sender} have ${balance}, ${reserved} of it for other pending transactions, want ${cost}`,
  }
}

/**
 * Code that an account delegates to can spend its balance at any time, so the account has one transaction in the pool, with its next
 * nonce (node-next 2.6).
 */
const isOnlyOfDelegated: AdmissionRule = ({ sender, nonce }, { head, mempool }) => {
  if (delegationOf(head.state.code(sender)) === undefined) return undefined
  const next = head.state.nonce(sender)
  const others = mempool.pending(sender, next).filter((pooled) => pooled.transaction.nonce !== nonce)
  if (others.length > 0)
    return { kind: 'transactionRejected', message: 'delegated account already has a transaction in the pool' }
  if (nonce === next) return undefined
  return { kind: 'transactionRejected', message: 'gapped-nonce transaction from delegated account' }
}

type Phrase = string | ((transaction: Transaction, context: AdmissionContext) => string)

const phraseOfKnown = ({ sender, nonce }: Transaction, { mempool, head }: AdmissionContext) => {
  const isQueued = nonce >= mempool.nextNonce(sender, head.state.nonce(sender))
  return `${isQueued ? 'queued' : 'pending'} transaction with same hash already exists`
}

/** The part of the gas limit that transactions cannot use (node-chain 7.6). */
const reservedText = ({ blockGasLimit, gasCap }: AdmissionRules): string =>
  gasCap < blockGasLimit
    ? `: of its ${blockGasLimit}, ${blockGasLimit - gasCap} are reserved for lists that run in parallel`
    : ''

/** The rules in the order of the reference node, each with the error text there, if it is another. */
const RULES: readonly (readonly [AdmissionRule, Phrase?])[] = [
  [isNew, phraseOfKnown],
  [hasSender, "the sender account doesn't exist"],
  [fitsInitCodeLimit, "transaction's init code size is invalid"],
  [
    fitsSizeLimit,
    ({ encoded }) =>
      `transaction's size is higher than defined maximum: ${encoded.length} > ${MAX_ENCODED_SIZE}`,
  ],
  [
    fitsBlock,
    ({ gasLimit }, { rules }) =>
      `transaction's gas limit of ${gasLimit} is higher than the block's gas limit of ${rules.gasCap}`,
  ],
  [
    hasUsableNonce,
    ({ sender, nonce }, { head }) =>
      `transaction nonce too ${nonce < head.state.nonce(sender) ? 'low' : 'high'}`,
  ],
  [isOnlyOfDelegated],
  [hasFundsForGas, 'insufficient funds'],
  [paysMinimumGasPrice(pooledPrice), "transaction's gas price lower than block's minimum"],
  [coversIntrinsicGas, "transaction's basic cost is above the gas limit"],
  [fitsPriceCap, "transaction's gas price exceeds cap"],
  [paysForReplacement, 'gas price not enough to bump transaction'],
  [hasQuota, 'account exceeds quota'],
  [hasFunds, 'insufficient funds to pay for pending and new transactions'],
]
