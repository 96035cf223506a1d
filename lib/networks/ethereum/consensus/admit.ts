/** Admission rules of the mempool on Ethereum networks. A rejected transaction leaves the pool unchanged. */

import { NodeError } from '../../../base/errors.ts'
import { initCodeSizeText } from '../../../evm/code-size.ts'
import { isExternallyOwned } from '../../../evm/delegation.ts'
import { BLOB_TYPE, hasGasPrice, isImpersonated, maximumCost } from '../../../evm/transaction.ts'
import type { BlobSidecar, Transaction } from '../../../evm/transaction.ts'
import { MAX_ENCODED_SIZE, bumpedPrice, checkTip } from '../../consensus/admission.ts'
import type { AdmissionContext, AdmissionRules, BlobAdmission } from '../../consensus/admission.ts'
import { sidecarFault } from '../../../evm/sidecar.ts'

/**
 * Rejects a transaction that can never be mined, or that breaks a rule of the pool.
 * @throws NodeError of the kind that names the fault
 */
export function checkAdmission(transaction: Transaction, context: AdmissionContext): void {
  checkKnown(transaction, context)
  checkSize(transaction, context.rules)
  const { blobs } = context.rules
  if (blobs !== undefined) checkBlobs(transaction, blobs)
  checkGas(transaction, context)
  checkSender(transaction, context)
  checkNonce(transaction, context)
  checkPrice(transaction, context.rules)
  checkReplacement(transaction, context)
  checkFunds(transaction, context)
  if (blobs !== undefined) checkBlobProofs(transaction, blobs)
}

function checkKnown({ hash }: Transaction, { mempool }: AdmissionContext): void {
  if (mempool.get(hash) !== undefined)
    throw new NodeError('alreadyKnown', `already known: transaction ${hash} is in the pool`)
}

function checkSize({ encoded, to, data }: Transaction, { maxInitCodeSize }: AdmissionRules): void {
  if (to === undefined && maxInitCodeSize !== undefined && BigInt(data.length) > maxInitCodeSize) {
    throw new NodeError('initCodeTooLarge', initCodeSizeText(data.length, maxInitCodeSize))
  }
  // Without a limit of code size, transactions have none either.
  if (maxInitCodeSize !== undefined && encoded.length > MAX_ENCODED_SIZE) {
    throw new NodeError(
      'transactionRejected',
      `oversized data: transaction size ${encoded.length}, limit ${MAX_ENCODED_SIZE}`,
    )
  }
}

function checkGas({ gasLimit }: Transaction, { rules, intrinsicGas }: AdmissionContext): void {
  if (rules.eipGasCap !== undefined && gasLimit > rules.eipGasCap) {
    throw new NodeError(
      'gasLimitTooHigh',
      `transaction gas limit too high (EIP-7825): cap ${rules.eipGasCap}, transaction gas ${gasLimit}`,
    )
  }
  if (gasLimit > rules.gasCap) {
    throw new NodeError(
      'gasLimitTooHigh',
      `exceeds block gas limit: transaction gas ${gasLimit}, limit ${rules.gasCap}`,
    )
  }
  if (gasLimit < intrinsicGas) {
    throw new NodeError('intrinsicGasTooLow', `intrinsic gas too low: have ${gasLimit}, want ${intrinsicGas}`)
  }
}

/** A contract cannot be a sender: a key for its address would mean a hash collision (EIP-3607). */
function checkSender(transaction: Transaction, { head }: AdmissionContext): void {
  const { sender } = transaction
  if (isImpersonated(transaction)) return
  const code = head.state.code(sender)
  if (isExternallyOwned(code)) return
  throw new NodeError(
    'senderNotExternal',
    `sender not an eoa: address ${sender} has ${code.length} bytes of code`,
  )
}

function checkNonce({ sender, nonce }: Transaction, { head, rules: { nonceGap } }: AdmissionContext): void {
  const next = head.state.nonce(sender)
  const numbers = `next nonce ${next}, transaction nonce ${nonce}`
  if (nonce < next) throw new NodeError('nonceTooLow', `nonce too low: ${numbers}`)
  if (nonceGap === undefined || nonce < next + nonceGap) return
  const maxNonce = next + nonceGap - 1n
  throw new NodeError('nonceTooHigh', `nonce too high: ${numbers}, at most ${maxNonce} is accepted`)
}

function checkPrice(transaction: Transaction, rules: AdmissionRules): void {
  checkTip(transaction)
  const { maxFeePerGas } = transaction
  if (maxFeePerGas < rules.nextBaseFee) {
    throw new NodeError(
      'feeTooLow',
      `max fee per gas less than block base fee: maxFeePerGas ${maxFeePerGas}, baseFee ${rules.nextBaseFee}`,
    )
  }
  if (maxFeePerGas < rules.minimumGasPrice) {
    throw new NodeError(
      'feeTooLow',
      `transaction underpriced: gas price ${maxFeePerGas}, minimum gas price ${rules.minimumGasPrice}`,
    )
  }
}

function checkReplacement(transaction: Transaction, { mempool, rules }: AdmissionContext): void {
  const replaced = mempool.find(transaction.sender, transaction.nonce)?.transaction
  if (replaced === undefined) return
  const fees = ['maxFeePerGas', 'maxPriorityFeePerGas', 'maxFeePerBlobGas'] as const
  const hasBlobs = [transaction, replaced].some(({ type }) => type === BLOB_TYPE)
  for (const fee of fees) {
    const [offered, paid] = [transaction[fee], replaced[fee]]
    // One of the two transactions has no blobs.
    if (offered === undefined || paid === undefined) continue
    const minPrice = bumpedPrice(paid, hasBlobs ? BLOB_PRICE_BUMP : rules.priceBump)
    const name = hasGasPrice(transaction.type) ? 'gasPrice' : fee
    if (offered >= minPrice) continue
    throw new NodeError(
      'underpriced',
      `replacement transaction underpriced: ${name} ${offered}, at least ${minPrice} is needed`,
    )
  }
}

/** The sender must be able to pay for its pending transactions with lower nonces and for this one. */
function checkFunds(transaction: Transaction, { head, mempool }: AdmissionContext): void {
  const { sender, nonce } = transaction
  const balance = head.state.balance(sender)
  const before = mempool
    .pending(sender, head.state.nonce(sender))
    .filter((pending) => pending.transaction.nonce < nonce)
  const reserved = before.reduce((total, pending) => total + maximumCost(pending.transaction), 0n)
  const cost = maximumCost(transaction)
  if (balance >= reserved + cost) return
  const also = reserved === 0n ? '' : `, ${reserved} of it for pending transactions`
  throw new NodeError(
    'insufficientFunds',
    `insufficient funds for gas * price + value: address ${sender} have ${balance}${also}, want ${cost}`,
  )
}

/** Percent by which a blob transaction must pay more than the one it replaces (geth, blobpool PriceBump). */
const BLOB_PRICE_BUMP = 100n

/**
 * Rejects blobs if the sidecar is missing or does not match the hashes, or if the blob fee is below that of the next block.
 * Since osaka a sidecar of version 0 is valid too: most clients send no other, and geth converts it.
 * @throws NodeError 'invalidTransaction' or 'feeTooLow'
 */
function checkBlobs(transaction: Transaction, { rules, nextBaseFee }: BlobAdmission): void {
  if (transaction.type !== BLOB_TYPE) return
  const { sender, maxFeePerBlobGas = 0n, blobVersionedHashes = [] } = transaction
  const sidecar = sidecarOf(transaction)
  if (sidecar.version > rules.sidecarVersion) {
    throw invalid(`unexpected sidecar version, want: ${rules.sidecarVersion}, got: ${sidecar.version}`)
  }
  const fault = sidecarFault(blobVersionedHashes, sidecar)
  if (fault !== undefined) throw invalid(fault)
  if (maxFeePerBlobGas >= nextBaseFee) return
  throw new NodeError(
    'feeTooLow',
    `max fee per blob gas less than block blob gas fee: address ${sender} blobGasFeeCap: ${maxFeePerBlobGas}, blobBaseFee: ${nextBaseFee}`,
  )
}

/**
 * Rejects blobs that do not match their commitments. This takes some tenths of a second, so it comes last.
 * @throws NodeError 'invalidTransaction'
 */
function checkBlobProofs(transaction: Transaction, { rules }: BlobAdmission): void {
  if (transaction.type !== BLOB_TYPE || rules.isProven(sidecarOf(transaction))) return
  throw invalid('KZG verification error: a proof does not fit its blob and commitment')
}

function sidecarOf({ sidecar }: Transaction): BlobSidecar {
  if (sidecar === undefined) throw invalid('missing sidecar in blob transaction')
  return sidecar
}

const invalid = (message: string): NodeError => new NodeError('invalidTransaction', message)
