/** Admission rules of the mempool on merged-mining networks: the checks of the reference node, in its order (node-chain 7.5). */

import { NodeError } from '../../../base/errors.ts'
import { fromHex, type Address, type Hash } from '../../../base/hex.ts'
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
  type AdmissionContext,
  type AdmissionRule,
  type AdmissionRules,
  type ArrivedTransaction,
  type Quota,
  type SenderQuotas,
} from '../../../networks/consensus/admission.ts'
import { isFreeBridgeCall } from '../rules.ts'

/**
 * Rejects the transactions that the reference node's pool rejects, except the system transaction, which has no signature and cannot
 * be sent. An error has two texts: this node's own, with the numbers, and the reference node's. @throws NodeError of the kind that
 * names the fault
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

/** The paid price, because there is no base fee (IP-546). */
export const pooledPrice = (transaction: Transaction): bigint => effectiveGasPrice(transaction, 0n)

/** Only a federation member's Bridge call has no intrinsic gas. It needs no account (node-chain 7.3). */
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

/** Maximum gas price as a multiple of the minimum; undefined without a minimum. */
const capOf = (multiple: bigint) => (minimum: bigint) => (minimum === 0n ? undefined : multiple * minimum)

/** Maximum gas price in a block, in wei (IP-252; node-chain 6.12). */
export const blockPriceCap = capOf(100n)

/** Maximum gas price in the transaction pool, in wei; lower than in a block, because the minimum may fall (node-chain 7.5). */
export const poolPriceCap = capOf(80n)

const fitsPriceCap: AdmissionRule = (transaction, { head }) => {
  const cap = poolPriceCap(head.block.header.minimumGasPrice)
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

/** Delegated code can spend the balance at any time, so such an account may have only one transaction, its next (node-next 2.6). */
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

/** The rules in the reference node's order, each with the reference's error text if it differs. */
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

/**
 * The senders' queues in the order in which transactions of equal price enter a block. On the reference node Java's HashMap of
 * senders and then its PriorityQueue decide it (node-chain 7.6): addresses and hashes count, not arrival.
 */
export function inSenderMapOrder<T extends ArrivedTransaction>(
  queues: readonly (readonly T[])[],
): readonly (readonly T[])[] {
  const arrived = queues.flat().sort((left, right) => left.arrival - right.arrival)
  const pooled = inMapOrder(arrived, ({ transaction }) => hashCode(transaction.hash))
  // A sender is inserted when the pool's map reaches its first transaction.
  const senders = new Set(pooled.map(({ transaction }) => transaction.sender))
  const bySender = new Map(queues.map((queue) => [queue[0]?.transaction.sender, queue]))
  return inMapOrder([...senders], addressCode).map((sender) => bySender.get(sender) ?? [])
}

/** Java hash code of a transaction: the last four bytes of its hash. */
const hashCode = (hash: Hash): number => Number(`0x${hash.slice(-8)}`)

/** Java hash code of an address: `Arrays.hashCode(byte[])`. */
const addressCode = (address: Address): number =>
  new Int8Array(fromHex(address)).reduce((code, byte) => Math.imul(31, code) + byte, 1)

/**
 * The order of keys in Java's HashMap: by bucket, then by insertion. The number of buckets is that of a map that was never larger;
 * a pool that once held more may have more.
 */
function inMapOrder<Key>(keys: readonly Key[], codeOf: (key: Key) => number): readonly Key[] {
  let buckets = 16
  while (keys.length > buckets * 0.75) buckets *= 2
  const bucketOf = (code: number): number => (code ^ (code >>> 16)) & (buckets - 1)
  const placed = keys.map((key) => ({ key, bucket: bucketOf(codeOf(key)) }))
  return placed.sort((left, right) => left.bucket - right.bucket).map(({ key }) => key)
}

/** Part of the block gas limit that a sender gains in a second. */
const GAIN = 0.9

/** Seconds of gain that a sender keeps at most. */
const KEPT_SECONDS = 2000

/** Weights of the nonce and of the gas limit, and the size in bytes that doubles the cost. */
const NONCE_WEIGHT = 4
const GAS_WEIGHT = 4
const DOUBLE_SIZE = 25_000

/**
 * The gas quotas of a chain's senders, as in the reference node's pool (node-rpc 6, row 18). Only --gas-quota or --faithful enables
 * them. A sender gains "virtual gas" with time, and each transaction costs its gas limit times some factors.
 */
export class VirtualGas implements SenderQuotas {
  readonly #quotas: { value: ReadonlyMap<Address, Quota> }
  readonly #now: () => number

  /** `now` returns milliseconds since the epoch. */
  constructor(quotas: { value: ReadonlyMap<Address, Quota> }, now: () => number) {
    this.#quotas = quotas
    this.#now = now
  }

  of(sender: Address): Quota | undefined {
    return this.#quotas.value.get(sender)
  }

  /** Whether the sender can pay for a transaction; if so, it pays. The first transaction of a new account is always accepted. */
  accept(transaction: Transaction, { head, mempool }: AdmissionContext): boolean {
    const { sender, to } = transaction
    const { gasLimit } = head.block.header
    const gain = Math.round(Number(gasLimit) * GAIN)
    const nonceOf = (account: Address) => mempool.nextNonce(account, head.state.nonce(account))
    const isFirst = this.of(sender) === undefined && nonceOf(sender) === 0n
    const available = this.#refresh(sender, gain, nonceOf(sender) === 0n ? gain : gain * KEPT_SECONDS)
    if (to !== undefined && head.state.code(to).length === 0) this.#refresh(to, gain, gain)
    const replaced = mempool.find(sender, transaction.nonce)?.transaction
    const cost = virtualGas(transaction, { nonce: nonceOf(sender), gasLimit, replaced })
    if (cost > available && !isFirst) return false
    this.#set(sender, Math.max(0, available - cost))
    return true
  }

  /** What an account has now; `initial` if it is new. */
  #refresh(account: Address, gain: number, initial: number): number {
    const quota = this.of(account)
    const gained = quota && ((this.#now() - quota.timestamp) / 1000) * gain
    const total = quota === undefined ? initial : quota.availableVirtualGas + (gained ?? 0)
    const available = Math.min(total, gain * KEPT_SECONDS)
    this.#set(account, available)
    return available
  }

  #set(account: Address, availableVirtualGas: number): void {
    const quota = { timestamp: this.#now(), availableVirtualGas }
    this.#quotas.value = new Map(this.#quotas.value).set(account, quota)
  }
}

interface PricedAgainst {
  /** The next nonce of the sender. */
  readonly nonce: bigint
  /** Gas limit of the newest block. */
  readonly gasLimit: bigint
  readonly replaced: Transaction | undefined
}

/** Cost of a transaction. The factor for a low price needs full blocks, which a development chain does not have. */
function virtualGas(transaction: Transaction, { nonce, gasLimit, replaced }: PricedAgainst): number {
  const gas = Number(transaction.gasLimit)
  const factors = [
    transaction.nonce === nonce ? 1 : 2,
    1 + NONCE_WEIGHT / (Number(nonce) + 1),
    1 + transaction.encoded.length / DOUBLE_SIZE,
    1 + (GAS_WEIGHT * gas) / Number(gasLimit),
    replaced === undefined || transaction.maxFeePerGas === 0n
      ? 1
      : 1 + Number(replaced.maxFeePerGas) / Number(transaction.maxFeePerGas),
  ]
  return gas * factors.reduce((product, factor) => product * factor)
}
