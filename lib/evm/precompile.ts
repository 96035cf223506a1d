/** Interface of precompiles, which are contracts whose code is part of the node; their addresses, and input without an ABI. */

import { asAddress, type Address, type Hash, type Hex } from '../base/hex.ts'
import type { State } from '../state/state.ts'
import type { BlockContext } from './block-context.ts'
import type { Log } from './outcome.ts'

export const WORD = 32

/** The address of a precompile: its number in hexadecimal. */
export const precompileAddress = (number: number): Address =>
  asAddress(`0x${number.toString(16).padStart(40, '0')}`)

/** Bytes at a position, padded with zeros beyond the input; a view of the input if it is long enough. */
export function bytesAt(input: Uint8Array, start: number, length: number): Uint8Array {
  if (start + length <= input.length) return input.subarray(start, start + length)
  const bytes = new Uint8Array(length)
  bytes.set(input.subarray(start, start + length))
  return bytes
}

/** Number of words of the input, rounded up. */
export const wordCount = ({ length }: Uint8Array): number => Math.ceil(length / WORD)

export type CallKind = 'call' | 'callcode' | 'delegatecall' | 'staticcall'

/** A call of a precompile. Its value has been transferred before it runs. */
export interface PrecompileCall {
  readonly kind: CallKind
  /** The call data, cut to the precompile's `maxInput` if a contract calls. */
  readonly input: Uint8Array
  /** Wei sent with the call. */
  readonly value: bigint
  /** Gas that the caller forwards. A higher cost may be given as Infinity. */
  readonly gas: number
  /** Account or contract that calls. */
  readonly caller: Address
  readonly origin: Address
  /** Depth of the caller's frames: 0 if a transaction calls the precompile directly. */
  readonly depth: number
  /** Whether state must not change, because of a STATICCALL. */
  readonly isStatic: boolean
  /** Whether this is a simulation without a transaction, such as `eth_call` or an estimate. */
  readonly isSimulated: boolean
  /** Whether this is the system transaction that closes a block. */
  readonly isSystem: boolean
  /** Hash of the transaction; absent in a simulated call. */
  readonly transactionHash: Hash | undefined
  /**
   * Recovers the public key of the transaction's sender from its signature: x and y, 64 bytes. Absent without a signature,
   * in a simulated call or for an impersonated account.
   */
  readonly senderPublicKey?: (() => Uint8Array | undefined) | undefined
  readonly block: BlockContext
  /** State of the call; its changes are reverted if the call fails. */
  readonly state: State
  readonly log: (log: Log) => void
  /** Reports a payment that the precompile has made, so that traces show it as a call. */
  readonly paid: (to: Address, wei: bigint) => void
}

/**
 * Failure of a precompile: the call pushes 0 and returns no data. The network's rules decide whether it costs the precompile's gas
 * (IP-197) or all forwarded gas. With data it is a REVERT; only scripted responses have data.
 */
export class PrecompileFailure extends Error {
  override readonly name = 'PrecompileFailure'
  readonly data: Uint8Array | undefined

  constructor(message: string, { data, ...options }: ErrorOptions & { readonly data?: Uint8Array } = {}) {
    super(message, options)
    this.data = data
  }
}

/** The functions and events of a precompile, as items of a contract ABI in JSON. */
export interface PrecompileInterface {
  readonly abi: readonly { readonly type: string }[]
  /** Items whose selector or topic is not the hash of their signature. */
  readonly bySelector: readonly { readonly type: string; readonly selector: Hex }[]
}

/** A contract whose code is part of the node. */
export interface Precompile {
  readonly address: Address
  /** Name in documents and traces. */
  readonly name: string
  /** Maximum bytes of call data from a contract; further bytes are cut off. */
  readonly maxInput?: number
  /** Gas of a call, without that of its transaction. */
  readonly gas: (call: PrecompileCall) => number
  /** The return data. @throws PrecompileFailure */
  readonly run: (call: PrecompileCall) => Uint8Array
  /** Absent if it is not called by selectors. */
  readonly interface?: (() => PrecompileInterface) | undefined
}
