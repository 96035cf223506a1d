/** Resumes a frame after a call or creation that it made has ended. */

import { EMPTY_BYTES } from '../../base/hex.ts'
import type { FrameInput, FrameResult } from './frame-input.ts'
import { isCreation } from './frame-input.ts'
import type { Frame } from './frame.ts'

/** Adds the remaining gas, pushes the result and sets the return data buffer. */
export function resume(
  parent: Frame,
  message: FrameInput,
  { ending, keepsRevertData }: { readonly ending: FrameResult; readonly keepsRevertData: boolean },
): void {
  const { status, gasLeft, output } = ending
  parent.gas += gasLeft
  const isSuccess = status === 'success'
  if (isCreation(message)) {
    parent.push(isSuccess ? BigInt(message.address) : 0n)
    return parent.setReturnData(status === 'reverted' && keepsRevertData ? output : EMPTY_BYTES)
  }
  parent.push(isSuccess ? 1n : 0n)
  parent.setReturnData(output)
  const { offset, length } = message.output
  if (length > 0) parent.copy(parent.returnData, 0, { offset, length: Math.min(length, output.length) })
}
