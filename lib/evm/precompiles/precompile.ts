/** A contract whose code is part of the node. What a caller pays when it fails is the machine's business. */

import type { Address, Hash } from '../../base/hex.ts'
import type { State } from '../../state/state.ts'
import type { BlockContext } from '../block-context.ts'
import type { Log } from '../outcome.ts'

/** How a contract is called. */
export type CallKind = 'call' | 'callcode' | 'delegatecall' | 'staticcall'

/** A call of a precompile. Its value has been moved when it runs. */
export interface PrecompileCall {
  readonly kind: CallKind
  /** The call data, cut to the contract's `maxInput` where a contract calls. */
  readonly input: Uint8Array
  /** Wei sent along. */
  readonly value: bigint
  /** Gas the caller hands over. A cost above it needs no exact number: Infinity says the same. */
  readonly gas: number
  /** Who calls. */
  readonly caller: Address
  /** Who sent the transaction. */
  readonly origin: Address
  /** 0 when a transaction calls the contract itself, 1 when code that a transaction called does ... */
  readonly depth: number
  /** Nothing may be changed, for a STATICCALL is under way. */
  readonly isStatic: boolean
  /** No transaction: an `eth_call`, an estimate or the like. */
  readonly isLocal: boolean
  /** Whether this is the system transaction that closes a block. */
  readonly isSystem: boolean
  /** Hash of the transaction; absent in a local call. */
  readonly transactionHash: Hash | undefined
  /**
   * Public key of who sent the transaction, x and y, 64 bytes: recovered from its signature when asked for. Absent where
   * nothing is signed, in a local call or for an impersonated account.
   */
  readonly senderPublicKey?: (() => Uint8Array | undefined) | undefined
  readonly block: BlockContext
  /** What is changed here is taken back when the call fails. */
  readonly state: State
  /** Emits an event; the address of the contract is the one given. */
  readonly log: (log: Log) => void
}

/**
 * A precompile refuses a call: the caller gets 0 and no data, and keeps the gas beyond the cost (IP-197). With data
 * it is a REVERT, which hands the data to the caller: only the scripted answers of a test double do that.
 */
export class PrecompileFailure extends Error {
  override readonly name = 'NativeFailure'
  readonly data: Uint8Array | undefined

  constructor(message: string, { data, ...options }: ErrorOptions & { readonly data?: Uint8Array } = {}) {
    super(message, options)
    this.data = data
  }

  /** The same failure in other words; this one is its cause. */
  reworded(reword: (text: string) => string): PrecompileFailure {
    const data = this.data === undefined ? {} : { data: this.data }
    return new PrecompileFailure(reword(this.message), { ...data, cause: this })
  }
}

/** A contract whose code is part of the node. */
export interface Precompile {
  readonly address: Address
  /** What it is called in documents and traces. */
  readonly name: string
  /** Bytes of call data that a calling contract can hand over; what is beyond is cut off. */
  readonly maxInput?: number
  /** Gas of a call, without that of its transaction. */
  readonly gas: (call: PrecompileCall) => number
  /** The return data. @throws NativeFailure */
  readonly run: (call: PrecompileCall) => Uint8Array
}
