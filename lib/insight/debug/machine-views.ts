/** What values are read from at a step of a recording, and whether optimized code has it as the source asks for. */

import { equalBytes } from '../../base/hex.ts'
import { isCreation } from '../trace/call-tree.ts'
import { codeStatements } from './code-statements.ts'
import type { Activations } from './activations.ts'
import { nameOf } from './call-stack.ts'
import type { RunningFunction } from './call-stack.ts'
import type { Recording } from './recording.ts'
import { callsAround, settledSteps } from './settled-steps.ts'
import type { MachineView } from './values/value.ts'

/** The machine as a running function sees it. */
export interface FunctionView extends MachineView {
  /** Whether the memory is certain: the optimizer moves writes. */
  readonly isMemoryCertain: () => boolean
  /** Whether every slot that was read since the last call of this method is certain. */
  readonly takeStorageCertain: () => boolean
}

/** The view of a running function. `now` is the step at which the debugger is, for the storage; the function can be a caller. */
export function viewOf(
  recording: Recording,
  activations: Activations,
  running: RunningFunction,
  now: number,
): FunctionView {
  const { activation, visit } = running
  const { frame } = activation
  // Callees in the same frame share the memory.
  const step = recording.frameAt(now) === frame ? now : lastStepOf(recording, running, now)
  const { settings } = frame.mapped?.contract.compilation ?? { settings: undefined }
  const isMoved = settings?.isOptimized === true
  const settled =
    isMoved && visit !== undefined ? settledSteps(recording, activations, visit, step) : undefined
  const around = isMoved && settings.viaIr ? callsAround(recording, frame, step) : settled
  const isFirst = settled !== undefined && visit !== undefined && visit.statement.range.start <= settled.start
  let isStorageCertain = true
  const read =
    (valueAt: (step: number, account: typeof frame.account, slot: bigint) => bigint) =>
    (slot: bigint): bigint => {
      if (around === undefined) return valueAt(now, frame.account, slot)
      const before = valueAt(around.before, frame.account, slot)
      if (!(isFirst && settings?.viaIr === false) && before !== valueAt(around.after, frame.account, slot))
        isStorageCertain = false
      return before
    }
  const entries = frame.mapped && codeStatements(frame.mapped)
  return {
    memory: recording.memoryAt(settled?.before ?? step),
    calldata: isCreation(frame) ? new Uint8Array(0) : frame.input,
    storage: read((at, account, slot) => recording.storageAt(at, account, slot)),
    transient: read((at, account, slot) => recording.transientAt(at, account, slot)),
    keys: recording.keys,
    address: frame.account,
    functionAt: (entry) => {
      const declared = entries?.functionFrom(entry)
      return declared && nameOf(declared, frame)
    },
    isCreation: isCreation(frame),
    isMemoryCertain: () =>
      settled === undefined ||
      isFirst ||
      equalBytes(recording.memoryAt(settled.before), recording.memoryAt(settled.after)),
    takeStorageCertain: () => {
      const was = isStorageCertain
      isStorageCertain = true
      return was
    },
  }
}

/** The last step of a frame that waits for a call: that of the call. */
function lastStepOf(
  recording: Recording,
  { activation: { frame }, step }: RunningFunction,
  now: number,
): number {
  let called = recording.frameAt(now)
  while (called !== undefined && called.parent !== frame) called = called.parent
  return called === undefined ? step : called.first - 1
}
