/** The reason of a failure in explanations. */

/** Why a frame failed. */
export type FailureKind =
  | 'text'
  | 'panic'
  | 'custom error'
  | 'no reason'
  | 'out of gas'
  | 'deposit out of gas'
  | 'function not found'
  | 'not payable'
  | 'invalid call data'
  | 'library called directly'
  | 'no code'
  | 'no result'
  | 'call failed'
  | 'slice out of bounds'
  | 'unexpected return data'
  | 'precompile failed'
  | 'code too large'
  | 'invalid code'
  | 'invalid instruction'
  | 'exception'

/** Why a frame failed, in words. */
export interface FailureReason {
  readonly kind: FailureKind
  readonly message: string
  /** Revert text, or name of a custom error if it is known. */
  readonly text: string | undefined
  readonly panicCode: bigint | undefined
}

/** A reason without text and code. */
export const plainReason = (kind: FailureKind, message: string): FailureReason => ({
  kind,
  message,
  text: undefined,
  panicCode: undefined,
})
