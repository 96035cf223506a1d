/** What a frame is asked to do, and what it answers. */

import type { Address } from '../../base/hex.ts'
import type { FrameKind } from '../observer.ts'
import type { Status } from '../outcome.ts'
import type { Frame } from './frame.ts'

/** What a frame is asked to do, and by whom. */
export interface FrameInput {
  readonly kind: FrameKind
  /** 0 for the outermost. */
  readonly depth: number
  /** The account whose code calls or creates, or the sender of the transaction. */
  readonly from: Address
  /** What CALLER answers: in a delegatecall the caller's caller. */
  readonly caller: Address
  /** The account that executes: whose storage and balance are meant. */
  readonly address: Address
  /** Whose code runs; the new account in a creation. */
  readonly codeAddress: Address
  /** Wei. In a delegatecall nothing is moved. */
  readonly value: bigint
  readonly gas: number
  /** Call data, or init code of a creation; a view of the caller's memory, valid until that grows. */
  readonly data: Uint8Array
  readonly isStatic: boolean
  /** Who waits for it; absent for the outermost. */
  readonly parent: Frame | undefined
  /** Where in the parent's memory the output goes. */
  readonly output: Span
}

/** A range of memory that has been paid for. */
export interface Span {
  readonly offset: number
  readonly length: number
}

/** How a frame ended. */
export interface FrameResult {
  readonly status: Status
  readonly gasLeft: number
  /** Return data, revert data, or the code of the created contract; a view of the frame's memory. */
  readonly output: Uint8Array
  /** The exception's name when the status is `failed`. */
  readonly exception?: string
  /** Whether there was code of a contract to run. */
  readonly ranCode: boolean
}

/** Whether the message makes a contract. */
export const isCreation = ({ kind }: FrameInput): boolean => kind === 'create' || kind === 'create2'
