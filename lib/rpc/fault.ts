/** Reports faults of the program: the client gets a reference, and the log has the error with this reference. */

import { NodeError } from '../base/errors.ts'
import { toHex } from '../base/hex.ts'
import { realHost } from '../base/host.ts'
import type { NodeHooks } from '../config/request-log.ts'

/** Length of a reference in bytes. */
const REFERENCE_LENGTH = 4

/**
 * The error to send to a client: an error of the user unchanged; for a fault of the program only the reference, which is in
 * the log too.
 */
export function reportFault(error: unknown, onFault: NodeHooks['onFault']): NodeError {
  if (error instanceof NodeError && error.kind !== 'internal') return error
  const reference = toHex(realHost.random(REFERENCE_LENGTH)).slice(2)
  onFault?.(error, reference)
  const detail = error instanceof NodeError ? `: ${error.message}` : ''
  return new NodeError('internal', `Internal error (reference ${reference})${detail}`, { cause: error })
}
