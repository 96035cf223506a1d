/** The failures in a recorded execution: frames that failed by themselves, not because of a call. */

import { toHex } from '../../base/hex.ts'
import type { RecordedFrame, Recording } from './recording.ts'

/** A failure. */
export interface FailedFrame {
  readonly frame: RecordedFrame
  /** Step of the instruction that failed. */
  readonly step: number
  /** Whether the execution went on after it. */
  readonly isCaught: boolean
}

/** The failures, in order. A frame that passes on the failure of a call is none. */
export function failedFrames({ frames }: Recording): readonly FailedFrame[] {
  return frames
    .filter((frame) => hasFailed(frame) && frame.end > frame.first && !passesOn(frame, frames))
    .map((frame) => ({ frame, step: frame.end - 1, isCaught: isCaught(frame) }))
}

const hasFailed = ({ exit }: RecordedFrame): boolean => exit !== undefined && exit.status !== 'success'

/** Whether a frame reverts with what its last call reverted with. */
function passesOn(frame: RecordedFrame, frames: readonly RecordedFrame[]): boolean {
  const last = frames.findLast(({ parent }) => parent === frame)
  if (last?.exit === undefined || !hasFailed(last) || frame.exit?.status !== 'reverted') return false
  return toHex(last.exit.output) === toHex(frame.exit.output)
}

function isCaught(frame: RecordedFrame): boolean {
  for (let one = frame.parent; one !== undefined; one = one.parent) if (!hasFailed(one)) return true
  return false
}
