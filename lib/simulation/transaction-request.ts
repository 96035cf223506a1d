/** A transaction or a call as a client requests it. */

import type { Address, Hash } from '../base/hex.ts'
import type { AccessList, Authorization } from '../evm/transaction.ts'

/** A transaction before it is signed, or a call. Absent members have defaults (geth, internal/ethapi, TransactionArgs). */
export interface TransactionRequest {
  readonly from?: Address | undefined
  /** Absent for a creation. */
  readonly to?: Address | undefined
  readonly gas?: bigint | undefined
  /** Wei per gas. */
  readonly gasPrice?: bigint | undefined
  readonly maxFeePerGas?: bigint | undefined
  readonly maxPriorityFeePerGas?: bigint | undefined
  /** Wei. */
  readonly value?: bigint | undefined
  readonly data?: Uint8Array | undefined
  readonly nonce?: bigint | undefined
  readonly chainId?: bigint | undefined
  readonly type?: bigint | undefined
  readonly accessList?: AccessList | undefined
  readonly authorizationList?: readonly Authorization[] | undefined
  /** Wei per blob gas. */
  readonly maxFeePerBlobGas?: bigint | undefined
  readonly blobVersionedHashes?: readonly Hash[] | undefined
  readonly blobs?: readonly Uint8Array[] | undefined
  readonly commitments?: readonly Uint8Array[] | undefined
  /** A KZG proof for each blob (EIP-4844), or for each cell of each blob (EIP-7594). */
  readonly proofs?: readonly Uint8Array[] | undefined
}
