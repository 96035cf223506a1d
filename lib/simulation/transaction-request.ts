/** What a client says of a transaction or of a call. */

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
  /** One for each blob, or one for each cell of each. */
  readonly proofs?: readonly Uint8Array[] | undefined
}
