/** Admission rules of the mempool on Ethereum networks. A rejected transaction leaves the pool unchanged. */

import { PHRASES } from '../../../config/phrases.ts'
import { NodeError } from '../../../base/errors.ts'
import { isExternallyOwned } from '../../../evm/delegation.ts'
import {
  BLOB_TYPE,
  hasGasPrice,
  isImpersonated,
  maximumCost,
  type Transaction,
} from '../../../evm/transaction.ts'
import {
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
  type AdmissionRefusal,
} from '../../consensus/admission.ts'
import { sidecarFault } from '../../../evm/sidecar.ts'

/** Rejects a transaction that can never be mined, or that breaks a rule of the pool. @throws NodeError of the fault's kind */
export function checkAdmission(transaction: Transaction, context: AdmissionContext): void {
  for (const rule of RULES) {
    const refusal = rule(transaction, context)
    if (refusal !== undefined) throw new NodeError(refusal.kind, refusal.message, refusal)
  }
}

const invalid = (message: string): AdmissionRefusal => ({ kind: 'invalidTransaction', message })

/**
 * Blobs have a sidecar that matches the hashes, and pay the next block's blob fee. Since osaka a sidecar of version 0 is still
 * valid, because most clients send no other, and geth converts it.
 */
const hasValidBlobs: AdmissionRule = (transaction, { rules: { blobs } }) => {
  if (blobs === undefined || transaction.type !== BLOB_TYPE) return undefined
  const { rules, nextBaseFee } = blobs
  const { sender, sidecar, maxFeePerBlobGas = 0n, blobVersionedHashes = [] } = transaction
  if (sidecar === undefined) return invalid('missing sidecar in blob transaction')
  if (sidecar.version > rules.sidecarVersion) {
    return invalid(`unexpected sidecar version, want: ${rules.sidecarVersion}, got: ${sidecar.version}`)
  }
  const fault = sidecarFault(blobVersionedHashes, sidecar)
  if (fault !== undefined) return invalid(fault)
  if (maxFeePerBlobGas >= nextBaseFee) return undefined
  return {
    kind: 'feeTooLow',
    message: `max fee per blob gas less than block blob gas fee: address ${sender} blobGasFeeCap: ${maxFeePerBlobGas}, blobBaseFee: ${nextBaseFee}`,
  }
}

const fitsEipGasCap: AdmissionRule = ({ gasLimit }, { rules: { eipGasCap } }) => {
  if (eipGasCap === undefined || gasLimit <= eipGasCap) return undefined
  const message = `transaction gas limit too high (EIP-7825): cap ${eipGasCap}, transaction gas ${gasLimit}`
  return { kind: 'gasLimitTooHigh', message, phrases: PHRASES.aboveGasCap(gasLimit, eipGasCap) }
}

/** A contract cannot be a sender: a key for its address would mean a hash collision (EIP-3607). */
const hasExternalSender: AdmissionRule = (transaction, { head }) => {
  const { sender } = transaction
  if (isImpersonated(transaction)) return undefined
  const code = head.state.code(sender)
  if (isExternallyOwned(code)) return undefined
  const message = `sender not an eoa: address ${sender} has ${code.length} bytes of code`
  return { kind: 'senderNotExternal', message }
}

/** The maximum fee is not below the tip, and if it is mined at once, not below the next block's base fee. */
const paysBaseFee: AdmissionRule = (transaction, { rules: { nextBaseFee, isMinedAtOnce } }) => {
  checkTip(transaction)
  const { type, maxFeePerGas } = transaction
  if (!isMinedAtOnce || maxFeePerGas >= nextBaseFee) return undefined
  const message = `max fee per gas less than block base fee: maxFeePerGas ${maxFeePerGas}, baseFee ${nextBaseFee}`
  const fee = hasGasPrice(type) ? 'gasPrice' : 'maxFeePerGas'
  return { kind: 'feeTooLow', message, phrases: PHRASES.belowBaseFee(fee, maxFeePerGas, nextBaseFee) }
}

/** Percent by which a blob transaction must pay more than the one it replaces (geth, blobpool PriceBump). */
const BLOB_PRICE_BUMP = 100n

const paysForReplacement: AdmissionRule = (transaction, { mempool, rules }) => {
  const replaced = mempool.find(transaction.sender, transaction.nonce)?.transaction
  if (replaced === undefined) return undefined
  const fees = ['maxFeePerGas', 'maxPriorityFeePerGas', 'maxFeePerBlobGas'] as const
  const hasBlobs = [transaction, replaced].some(({ type }) => type === BLOB_TYPE)
  for (const fee of fees) {
    const [offered, paid] = [transaction[fee], replaced[fee]]
    // One of the two transactions has no blobs.
    if (offered === undefined || paid === undefined) continue
    const minPrice = bumpedPrice(paid, hasBlobs ? BLOB_PRICE_BUMP : rules.priceBump)
    if (offered >= minPrice) continue
    const name = hasGasPrice(transaction.type) ? 'gasPrice' : fee
    const message = `replacement transaction underpriced: ${name} ${offered}, at least ${minPrice} is needed`
    return { kind: 'underpriced', message, phrases: PHRASES.underpriced(fee, minPrice, transaction.nonce) }
  }
  return undefined
}

/** The sender can pay for its pending transactions with lower nonces and for this one. */
const hasFunds: AdmissionRule = (transaction, { head, mempool }) => {
  const { sender, nonce } = transaction
  const balance = head.state.balance(sender)
  const before = mempool
    .pending(sender, head.state.nonce(sender))
    .filter((pending) => pending.transaction.nonce < nonce)
  const reserved = before.reduce((total, pending) => total + maximumCost(pending.transaction), 0n)
  const cost = maximumCost(transaction)
  if (balance >= reserved + cost) return undefined
  const also = reserved === 0n ? '' : `, ${reserved} of it for pending transactions`
  return {
    kind: 'insufficientFunds',
    message: `insufficient funds for gas * price + value: address ${sender} have ${balance}${also}, want ${cost}`,
    phrases: PHRASES.insufficientFunds(cost, balance),
  }
}

/** Blobs match their commitments. The check takes some tenths of a second, so it comes last. */
const hasProvenBlobs: AdmissionRule = ({ sidecar }, { rules: { blobs } }) => {
  if (blobs === undefined || sidecar === undefined || blobs.rules.isProven(sidecar)) return undefined
  return invalid('KZG verification error: a proof does not fit its blob and commitment')
}

const RULES: readonly AdmissionRule[] = [
  isNew,
  fitsInitCodeLimit,
  fitsSizeLimit,
  hasValidBlobs,
  fitsEipGasCap,
  fitsBlock,
  coversIntrinsicGas,
  hasExternalSender,
  hasUsableNonce,
  paysBaseFee,
  paysMinimumGasPrice(({ maxFeePerGas }) => maxFeePerGas),
  paysForReplacement,
  hasFunds,
  hasProvenBlobs,
]
