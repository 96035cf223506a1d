/** The sidecar of a blob transaction, which blocks do not contain (EIP-4844, EIP-7594). */

import { fromHex, toHash, type Hash } from '../base/hex.ts'
import { decodeRlp } from '../base/rlp.ts'
import type { BlobSchedule } from '../config/eip-changes.ts'
import { sha256 } from '../crypto/sha256.ts'
import {
  bytesListAt,
  isBytes,
  listMembers,
  numberAt,
  unreadable,
  encodeEnvelope,
} from './transaction-members.ts'
import { BLOB_TYPE, type BlobSidecar, type Transaction } from './transaction.ts'

/** First byte of the hash of a commitment (EIP-4844, VERSIONED_HASH_VERSION_KZG). */
const HASH_VERSION = 1

/** Proofs of a blob in a sidecar of version 1. */
const CELL_PROOFS = 128

export const proofsPerBlob = (version: BlobSidecar['version']): number => (version === 0 ? 1 : CELL_PROOFS)

/** The versioned hash of a blob's commitment (EIP-4844, kzg_to_versioned_hash). */
export const versionedHash = (commitment: Uint8Array): Hash =>
  toHash(Uint8Array.of(HASH_VERSION, ...sha256(commitment).subarray(1)))

export function networkForm(
  { encoded }: Pick<Transaction, 'encoded'>,
  sidecar: BlobSidecar | undefined,
): Uint8Array {
  if (sidecar === undefined) return encoded
  const { version, blobs, commitments, proofs } = sidecar
  const versions = version === 0 ? [] : [Uint8Array.of(version)]
  const members = [decodeRlp(encoded.subarray(1)), ...versions, blobs, commitments, proofs]
  return encodeEnvelope(BLOB_TYPE, members)
}

/** A transaction in the form of blocks, and its sidecar if it was sent with one. */
export interface SplitForm {
  readonly encoded: Uint8Array
  readonly sidecar?: BlobSidecar
}

/** Splits the network form of a blob transaction into its form in blocks and the sidecar. @throws NodeError 'invalidTransaction' */
export function splitNetworkForm(sent: Uint8Array): SplitForm {
  const members = listMembers(sent.subarray(1))
  const [body] = members
  if (body === undefined || isBytes(body)) return { encoded: sent }
  const version = members.length === 4 ? 0 : 1
  if (members.length !== 4 + version) {
    throw unreadable(`a transaction with a sidecar has 4 members, or 5 with a version, got ${members.length}`)
  }
  if (version === 1 && numberAt(members, 1) !== 1n) {
    throw unreadable(`a sidecar of version ${numberAt(members, 1)} is not known, only 1`)
  }
  const sidecar: BlobSidecar = {
    version,
    blobs: bytesListAt(members, -3),
    commitments: bytesListAt(members, -2),
    proofs: bytesListAt(members, -1),
  }
  return { encoded: encodeEnvelope(BLOB_TYPE, body), sidecar }
}

/** The fault in the counts and hashes of a sidecar; absent for valid ones. Proofs are not checked here. */
export function sidecarFault(
  hashes: readonly Hash[],
  { version, blobs, commitments, proofs }: BlobSidecar,
): string | undefined {
  const [count, expected] = [hashes.length, hashes.length * proofsPerBlob(version)]
  if (blobs.length !== count)
    return `invalid number of ${blobs.length} blobs compared to ${count} blob hashes`
  if (commitments.length !== count) {
    return `invalid number of ${commitments.length} blob commitments compared to ${count} blob hashes`
  }
  if (proofs.length !== expected) return `invalid number of ${proofs.length} blob proofs expected ${expected}`
  const computed = commitments.map(versionedHash)
  const wrong = computed.findIndex((hash, index) => hash !== hashes[index])
  if (wrong < 0) return undefined
  return `blob ${wrong}: computed hash ${computed[wrong] ?? ''} mismatches transaction one ${hashes[wrong] ?? ''}`
}

/** The fault that makes a blob transaction invalid in every block (EIP-4844); absent for a valid one. */
export function blobFault(
  { to, blobVersionedHashes = [] }: Partial<Pick<Transaction, 'to' | 'blobVersionedHashes'>>,
  { maxPerTransaction }: BlobSchedule,
): string | undefined {
  const count = blobVersionedHashes.length
  if (to === undefined) return 'blob transaction of type create'
  if (count === 0) return 'blob transaction missing blob hashes'
  if (count > maxPerTransaction) {
    return `too many blobs in transaction: have ${count}, permitted ${maxPerTransaction}`
  }
  const wrong = blobVersionedHashes.findIndex((hash) => fromHex(hash)[0] !== HASH_VERSION)
  return wrong < 0 ? undefined : `blob ${wrong} has invalid hash version`
}
