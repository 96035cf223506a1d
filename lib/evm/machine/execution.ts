/** Input and result of the machine. */

import type { Address, Hash } from '../../base/hex.ts'
import type { State } from '../../state/state.ts'
import type { BlockContext } from '../block-context.ts'
import type { ConsoleCalls } from '../console.ts'
import type { Observer } from '../observer.ts'
import type { Log, Status } from '../outcome.ts'
import type { Rules } from '../rules/rules.ts'

/** What all frames of one transaction share. */
export interface ExecutionContext {
  readonly rules: Rules
  /** The working copy that is changed. Its transaction has a checkpoint of its own if it needs one. */
  readonly state: State
  readonly block: BlockContext
  /** Who sent the transaction. */
  readonly origin: Address
  /** Wei per gas that the transaction pays. */
  readonly gasPrice: bigint
  /** Versioned hashes of the transaction's blobs (EIP-4844). */
  readonly blobHashes: readonly Hash[]
  /** Wei per blob gas in the block. */
  readonly blobBaseFee: bigint
  /** No transaction, but an `eth_call` or the like. */
  readonly isLocal: boolean
  /** The system transaction that closes a block. */
  readonly isSystem: boolean
  readonly transactionHash: Hash | undefined
  /** Public key of who signed the transaction, for precompiles; see there. */
  readonly senderPublicKey?: (() => Uint8Array | undefined) | undefined
  /** Addresses that are warm from the start (EIP-2929, 2930, 3651); precompiles always are, and need not be among them. */
  readonly warmAddresses: Iterable<Address>
  readonly warmSlots: Iterable<readonly [Address, Hash]>
  /** Contracts that earlier transactions of the block deleted: they are not made again in it (node-chain 9.4). */
  readonly deletedInBlock?: ReadonlySet<Address> | undefined
  readonly observer: Observer | undefined
}

/** The outermost call or creation. The sender's nonce has been raised and the gas been paid before. */
export interface OutermostMessage {
  readonly from: Address
  /** Absent for a creation, whose address follows from the sender and the nonce of the transaction. */
  readonly to: Address | undefined
  /** Nonce of the transaction. */
  readonly nonce: bigint
  /** Wei. */
  readonly value: bigint
  readonly data: Uint8Array
  /** Without the intrinsic gas. */
  readonly gas: number
}

/** What became of it. When the status is not `success`, everything but the raised nonce has been taken back. */
export interface ExecutionResult {
  readonly status: Status
  readonly gasLeft: number
  /** Gas to be given back, before the cap. */
  readonly refund: number
  readonly logs: readonly Log[]
  /** Return data, revert data, or the code of a created contract. */
  readonly output: Uint8Array
  /** Address of a creation, also of a failed one. */
  readonly created: Address | undefined
  /** The exception's name when the status is `failed`. */
  readonly exception: string | undefined
  /** Whether it was a precompile, called by the transaction itself, that refused (node-chain 8.2). */
  readonly isPrecompileFailure: boolean
  /** Accounts to delete when the transaction ends. */
  readonly destroyed: ReadonlySet<Address>
  /** Accounts that are to be deleted when they are empty, where rules clear them (EIP-161). */
  readonly touched: ReadonlySet<Address>
  /** Absent where nothing was said. */
  readonly consoleCalls: ConsoleCalls | undefined
}
