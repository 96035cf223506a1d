/** Failures that are the program's fault: the client is told a reference, under which the log has the whole error. */

import { NodeError } from '../base/errors.ts'
import { toHex } from '../base/hex.ts'
import { realOutside } from '../base/outside.ts'
import type { NodeHooks } from '../config/request-log.ts'

/** Bytes of a reference. */
const REFERENCE_LENGTH = 4

/** The error a client is told: a user's mistake as it is, a fault by its reference, with which it is reported. */
export function reported(error: unknown, onFault: NodeHooks['onFault']): NodeError {
  if (error instanceof NodeError && error.kind !== 'internal') return error
  const reference = toHex(realOutside.random(REFERENCE_LENGTH)).slice(2)
  onFault?.(error, reference)
  const detail = error instanceof NodeError ? `: ${error.message}` : ''
  return new NodeError('internal', `Internal error (reference ${reference})${detail}`, { cause: error })
}
