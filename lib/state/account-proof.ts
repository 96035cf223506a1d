/** Merkle proofs of accounts and storage slots (EIP-1186). */

import type { Hash } from '../base/hex.ts'
import type { AccountFields } from './account.ts'

/** Proof of one storage slot. */
export interface StorageProof {
  readonly slot: Hash
  readonly value: bigint
  /** Nodes from the storage root. */
  readonly proof: readonly Uint8Array[]
}

/** Proof of an account, or of its absence, and of storage slots (EIP-1186). */
export interface AccountProof {
  /** Nodes from the state root. */
  readonly accountProof: readonly Uint8Array[]
  readonly account: Pick<AccountFields, 'nonce' | 'balance' | 'codeHash'> | undefined
  readonly storageHash: Hash
  readonly storageProof: readonly StorageProof[]
}
