/** Admission rules for blob transactions (EIP-4844, EIP-7594), with geth's error texts (core/txpool/validation.go). */

import { NodeError } from '../../base/errors.ts'
import { sidecarFault } from '../../evm/sidecar.ts'
import type { BlobSidecar } from '../../evm/transaction.ts'
import { BLOB_TYPE } from '../../evm/transaction-types.ts'
import type { Transaction } from '../../evm/transaction.ts'
import type { BlobAdmission } from '../admission.ts'

/** Percent by which a blob transaction must pay more than the one it replaces (geth, blobpool PriceBump). */
export const BLOB_PRICE_BUMP = 100n

/**
 * Rejects blobs if the sidecar is missing or does not match the hashes, or if the blob fee is below that of the next block.
 * Since osaka a sidecar of version 0 is valid too: most clients send no other, and geth converts it.
 * @throws NodeError 'invalidTransaction' or 'feeTooLow'
 */
export function checkBlobs(transaction: Transaction, { rules, nextBaseFee }: BlobAdmission): void {
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
export function checkBlobProofs(transaction: Transaction, { rules }: BlobAdmission): void {
  if (transaction.type !== BLOB_TYPE || rules.isProven(sidecarOf(transaction))) return
  throw invalid('KZG verification error: a proof does not fit its blob and commitment')
}

function sidecarOf({ sidecar }: Transaction): BlobSidecar {
  if (sidecar === undefined) throw invalid('missing sidecar in blob transaction')
  return sidecar
}

const invalid = (message: string): NodeError => new NodeError('invalidTransaction', message)
