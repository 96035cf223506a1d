/** Makes the result of an execution after its outermost frame has ended. */

import { EMPTY_BYTES } from '../../base/hex.ts'
import type { ExecutionResult } from './execution.ts'
import { isCreation } from './frame-input.ts'
import type { FrameInput, FrameResult } from './frame-input.ts'
import type { Machine } from './machine.ts'

/** The result of an execution whose outermost frame ended in this way. The core is still in use. */
export function executionResult(
  { isPrecompileFailure, rules, storage, substate }: Machine,
  message: FrameInput,
  { status, gasLeft, output, exception, ranCode }: FrameResult,
): ExecutionResult {
  const { consoleCalls, destroyed, logs, touched } = substate
  return {
    status,
    gasLeft,
    isGasIndependent: ranCode && storage.isGasIndependent(gasLeft),
    refund: storage.refund + destroyed.size * rules.selfdestruct.refund,
    logs,
    // A copy, because the memory of the core is reused.
    output: output.length === 0 ? EMPTY_BYTES : output.slice(),
    created: isCreation(message) ? message.address : undefined,
    exception,
    isPrecompileFailure,
    destroyed,
    touched,
    consoleCalls,
  }
}
