/** Input and result of a frame, and the exceptions that end it. */

import type { Address } from '../../base/hex.ts'
import type { FrameKind } from '../observer.ts'
import type { Status } from '../outcome.ts'
import { present } from '../../base/invariant.ts'

/** An exceptional halt of a frame; the message is its name in outcomes and traces. */
export class Halt extends Error {
  override readonly name = 'Halt'
}

export const OUT_OF_GAS = new Halt('out of gas')
export const STATIC_STATE_CHANGE = new Halt('static state change')
export const CREATE_COLLISION = new Halt('create collision')
export const CODE_BEGINS_WITH_EF = new Halt('invalid bytecode deployed')
export const VALUE_OVERFLOW = new Halt('value overflow')

/** Exceptions of calls and creations that cannot begin. The instruction pushes zero, and the caller keeps the gas. */
export const CALL_TOO_DEEP = new Halt('max call depth exceeded')
export const INSUFFICIENT_BALANCE = new Halt('insufficient balance')
export const NONCE_OVERFLOW = new Halt('nonce uint64 overflow')

/** Exceptions by the core's negative result (layout.ts). */
const OF_CORE: readonly (Halt | undefined)[] = [
  undefined,
  OUT_OF_GAS,
  new Halt('stack underflow'),
  new Halt('stack overflow'),
  new Halt('invalid opcode'),
  new Halt('invalid JUMP'),
  STATIC_STATE_CHANGE,
  new Halt('return data out of bounds'),
]

/** The exception for a negative result of the core. */
export const haltOfCore = (result: number): Halt => present(OF_CORE[-result], `exception ${result}`)

/** Input of a frame: a call or a creation. */
export interface FrameInput {
  readonly kind: FrameKind
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
  readonly output: Span
  /** Why the frame cannot begin (depth, balance, nonce). The caller then keeps the gas. */
  readonly refusal: Halt | undefined
}

/** A range of memory. The gas for expanding the memory to its end has been charged. */
export interface Span {
  readonly offset: number
  readonly length: number
}

/** The empty span; its offset is not used. */
export const NO_SPAN: Span = { offset: 0, length: 0 }

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

export const isCreation = ({ kind }: FrameInput): boolean => kind === 'create' || kind === 'create2'
