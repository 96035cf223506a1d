/** Interface of precompiles, contracts whose code is part of the node; their addresses, and input without an ABI. */

import { asAddress } from '../base/hex.ts'
import type { Address } from '../base/hex.ts'
import type { State } from '../state/state.ts'
import type { BlockContext } from './block-context.ts'
import type { TransactionContext } from './machine/environment.ts'
import type { FrameInput } from './machine/frame-input.ts'
import type { Log } from './outcome.ts'

/** Length of a word in bytes. */
export const WORD = 32

/** The address of a precompile: its number in hexadecimal. */
export function precompileAddress(number: number): Address {
  return asAddress(`0x${number.toString(16).padStart(40, '0')}`)
}

/** Bytes at a position, padded with zeros beyond the input; a view of the input if it is long enough. */
export function bytesAt(input: Uint8Array, start: number, length: number): Uint8Array {
  if (start + length <= input.length) return input.subarray(start, start + length)
  const bytes = new Uint8Array(length)
  bytes.set(input.subarray(start, start + length))
  return bytes
}

/** Number of words of the input, rounded up. */
export function wordCount({ length }: Uint8Array): number {
  return Math.ceil(length / WORD)
}

/** The instruction that calls a contract. */
export type CallKind = 'call' | 'callcode' | 'delegatecall' | 'staticcall'

/** A call of a precompile. Its value has been transferred before it runs. */
export interface PrecompileCall
  extends
    Pick<FrameInput, 'value' | 'gas' | 'isStatic'>,
    Pick<TransactionContext, 'origin' | 'isSimulated' | 'isSystem' | 'senderPublicKey'> {
  readonly kind: CallKind
  /** The call data, cut to the precompile's `maxInput` if a contract calls. */
  readonly input: Uint8Array
  /** Account or contract that calls. */
  readonly caller: Address
  /** Depth of the caller's frames: 0 if a transaction calls the precompile directly. */
  readonly depth: number
  readonly transactionHash: TransactionContext['hash']
  readonly block: BlockContext
  /** State of the call; its changes are reverted if the call fails. */
  readonly state: State
  /** Emits an event. */
  readonly log: (log: Log) => void
}

/**
 * Failure of a precompile: the call pushes 0 and returns no data. The rules of the network say whether it costs the gas of
 * the precompile (IP-197) or all forwarded gas. With data it is a REVERT; only scripted responses have data.
 */
export class PrecompileFailure extends Error {
  override readonly name = 'PrecompileFailure'
  readonly data: Uint8Array | undefined

  constructor(message: string, { data, ...options }: ErrorOptions & { readonly data?: Uint8Array } = {}) {
    super(message, options)
    this.data = data
  }
}

/** A contract whose code is part of the node. */
export interface Precompile {
  readonly address: Address
  /** Name in documents and traces. */
  readonly name: string
  /** Maximum bytes of call data from a contract; further bytes are cut off. */
  readonly maxInput?: number
  /** Gas of a call, without that of its transaction. Infinity if it exceeds the gas of any call. */
  readonly gas: (call: PrecompileCall) => number
  /** The return data. @throws PrecompileFailure */
  readonly run: (call: PrecompileCall) => Uint8Array
}
