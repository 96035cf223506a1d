/** The outcome of an execution. */

import type { Address, Hash } from '../base/hex.ts'
import type { ConsoleCalls } from './console.ts'

/** A log that a contract emitted. */
export interface Log {
  readonly address: Address
  readonly topics: readonly Hash[]
  readonly data: Uint8Array
}

/** How an execution ended: normally, by REVERT, or by an exception such as out of gas. */
export type Status = 'success' | 'reverted' | 'failed'

/** Result of a transaction or of a simulated call. */
export interface Outcome {
  readonly status: Status
  /** Gas paid for: intrinsic cost and execution, after refunds. */
  readonly gasUsed: bigint
  /** Gas that the execution needed: `gasUsed` without the refunds. */
  readonly gasNeeded: bigint
  /** Whether a success would be the same with every gas limit from `gasNeeded` on; only of calls. */
  readonly isGasIndependent?: boolean
  /** Wei that the sender paid for gas; zero for a call. */
  readonly fee: bigint
  /** Blob gas of the transaction, and wei per blob gas; absent without blobs. */
  readonly blobGas?: { readonly used: bigint; readonly price: bigint } | undefined
  readonly logs: readonly Log[]
  readonly logsBloom: Uint8Array
  /** Return data, revert data, or the code of a created contract. */
  readonly returnData: Uint8Array
  /** Address of the created contract, even if the creation failed. */
  readonly contractAddress: Address | undefined
  /** The exception's name when the status is `failed`. */
  readonly exception: string | undefined
  /** State root after the transaction, in receipts from before Byzantium, which have no status (EIP-658). */
  readonly postState?: Hash | undefined
  /** Calls of `console.log`, which are not part of the chain; absent without calls. */
  readonly consoleCalls?: ConsoleCalls | undefined
}

/** The bloom of no logs, shared by all outcomes that have none. */
export const EMPTY_BLOOM = new Uint8Array(256)
