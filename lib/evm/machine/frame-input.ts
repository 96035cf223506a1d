/** Input and result of a frame. */

import type { Address } from '../../base/hex.ts'
import type { FrameKind } from '../observer.ts'
import type { Status } from '../outcome.ts'
import { createdByNonce } from './created-address.ts'
import type { OutermostMessage } from './execution.ts'
import type { Frame } from './frame.ts'

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
  /** The calling frame; absent for the outermost frame. */
  readonly parent: Frame | undefined
  /** Range of the parent's memory for the output. */
  readonly output: Span
}

/** A range of memory. The gas for expanding the memory to its end has been charged. */
export interface Span {
  readonly offset: number
  readonly length: number
}

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

/** The input of the outermost frame. */
export function outermostFrame({ from, to, nonce, value, data, gas }: OutermostMessage): FrameInput {
  const address = to ?? createdByNonce(from, nonce)
  return {
    kind: to === undefined ? 'create' : 'call',
    depth: 0,
    from,
    caller: from,
    address,
    codeAddress: address,
    value,
    gas,
    data,
    isStatic: false,
    parent: undefined,
    output: { offset: 0, length: 0 },
  }
}
