/** The reason of a failure in explanations. */

import type { StatedReason } from '../../abi/revert-reason.ts'

export type FailureKind =
  | StatedReason['kind']
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
  | 'undecodable data'
  | 'unexpected return data'
  | 'precompile failed'
  | 'code too large'
  | 'invalid code'
  | 'invalid instruction'
  | 'exception'

/** The reason of a failed frame, in words. */
export interface FailureReason extends Omit<StatedReason, 'kind'> {
  readonly kind: FailureKind
}
