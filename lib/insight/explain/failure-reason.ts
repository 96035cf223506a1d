/** The reason of a failure in explanations. */

/** The kinds of reasons. */
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

/** The reason of a failed frame, in words. */
export interface FailureReason {
  readonly kind: FailureKind
  readonly message: string
  /** Revert text, or name of a custom error if it is known. */
  readonly text?: string | undefined
  readonly panicCode?: bigint | undefined
}
