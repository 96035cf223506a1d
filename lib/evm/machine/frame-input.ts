/** Input and result of a frame. */

import type { Address } from '../../base/hex.ts'
import type { FrameKind } from '../observer.ts'
import type { Status } from '../outcome.ts'
import type { Halt } from './halt.ts'

/** Input of a frame: a call or a creation. */
export interface FrameInput {
  readonly kind: FrameKind
  /** 0 for the outermost frame. */
  readonly depth: number
  /** The executing account of the calling frame, or the sender of the transaction. */
  readonly from: Address
  /** Result of CALLER: `from`, but in a delegatecall the caller of the calling frame. */
  readonly caller: Address
  /** The executing account, whose storage and balance the code uses. */
  readonly address: Address
  /** The account whose code runs; the new account in a creation. */
  readonly codeAddress: Address
  /** Result of CALLVALUE, in wei. A delegatecall has that of the calling frame, and transfers nothing. */
  readonly value: bigint
  readonly gas: number
  /** Call data, or init code of a creation; a view of the caller's memory, valid until that memory grows. */
  readonly data: Uint8Array
  readonly isStatic: boolean
  /** Range of the caller's memory for the output. */
  readonly output: Span
  /** Why it cannot begin (depth, balance, nonce): the caller keeps the gas. */
  readonly refusal: Halt | undefined
}

/** A range of memory. The gas for expanding the memory to its end has been charged. */
export interface Span {
  readonly offset: number
  readonly length: number
}

/** The empty span; its offset is not used. */
export const NO_SPAN: Span = { offset: 0, length: 0 }

/** Result of a frame. */
export interface FrameResult {
  readonly status: Status
  readonly gasLeft: number
  /** Return data, revert data, or the code of the created contract; a view of the frame's memory. */
  readonly output: Uint8Array
  /** The exception's name when the status is `failed`. */
  readonly exception?: string
  /** Whether the frame ran the code of a contract. */
  readonly ranCode: boolean
}

/** Whether the frame creates a contract. */
export const isCreation = ({ kind }: FrameInput): boolean => kind === 'create' || kind === 'create2'
