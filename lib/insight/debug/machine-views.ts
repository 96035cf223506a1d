/** What values are read from at a step of a recording, and whether optimized code has it as the source asks for. */

import { equalBytes } from '../../base/hex.ts'
import { isCreation } from '../trace/call-tree.ts'
import { codeStatements } from './code-statements.ts'
import type { Activations } from './activations.ts'
import { nameOf } from './call-stack.ts'
import type { RunningFunction } from './call-stack.ts'
import { MSTORE, SSTORE, TSTORE } from './opcodes.ts'
import type { Recording } from './recording.ts'
import { callsAround, settledSteps } from './settled-steps.ts'
import type { SettledSteps } from './settled-steps.ts'
import type { MachineView } from './values/value.ts'

/** The machine as a running function sees it. */
export interface FunctionView extends MachineView {
  /** Whether the memory is certain: the optimizer moves writes. */
  readonly isMemoryCertain: () => boolean
  /** Whether every slot that was read since the last call of this method is certain. */
  readonly takeStorageCertain: () => boolean
}

/** Steps around a step at which the machine has all writes, and a step that has those before a statement. */
interface WriteSteps {
  readonly before: number
  readonly after: number
  /** Undefined if no step is known to have them. */
  readonly memory: number | undefined
  readonly storage: number | undefined
  /** Whether the storage may lack writes at both steps. */
  readonly hasLostWrites?: boolean
}

/** The view of a running function. `now` is the step at which the debugger is, for the storage; the function can be a caller. */
export function viewOf(
  recording: Recording,
  activations: Activations,
  running: RunningFunction,
  now: number,
): FunctionView {
  const { frame } = running.activation
  // Callees in the same frame share the memory.
  const step = recording.frameAt(now) === frame ? now : lastStepOf(recording, running, now)
  const writes = writeStepsOf(recording, activations, running, step)
  let isStorageCertain = true
  const read =
    (valueAt: (step: number, account: typeof frame.account, slot: bigint) => bigint) =>
    (slot: bigint): bigint => {
      if (writes === undefined || step !== now) return valueAt(now, frame.account, slot)
      if (writes.storage !== undefined) return valueAt(writes.storage, frame.account, slot)
      const before = valueAt(writes.before, frame.account, slot)
      if (writes.hasLostWrites === true || before !== valueAt(writes.after, frame.account, slot))
        isStorageCertain = false
      return before
    }
  const entries = frame.mapped && codeStatements(frame.mapped)
  return {
    memory: recording.memoryAt(writes?.memory ?? writes?.before ?? step),
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
      writes === undefined ||
      writes.memory !== undefined ||
      equalBytes(recording.memoryAt(writes.before), recording.memoryAt(writes.after)),
    takeStorageCertain: () => {
      const was = isStorageCertain
      isStorageCertain = true
      return was
    },
  }
}

/** Where optimized code has its writes; undefined for other code, which has them in their order. */
function writeStepsOf(
  recording: Recording,
  activations: Activations,
  { activation: { frame }, visit }: RunningFunction,
  step: number,
): WriteSteps | undefined {
  const { settings } = frame.mapped?.contract.compilation ?? {}
  if (settings?.isOptimized !== true || visit === undefined) return undefined
  const settled = settledSteps(recording, activations, visit, step)
  const { order, within } = visit.statement
  if (settings.viaIr) {
    const isReading = ['view', 'pure'].includes(String(within.node['stateMutability']))
    const around = callsAround(recording, frame, step)
    return { ...around, memory: undefined, storage: isReading ? step : undefined, hasLostWrites: !isReading }
  }
  const stepWith = (opcodes: readonly number[]): number | undefined =>
    stepWithWrites(recording, settled, opcodes, (at) => {
      const statement = activations.statementAt(at)
      return statement?.within === within ? statement.order < order : undefined
    })
  const { before, after } = settled
  return { before, after, memory: stepWith([MSTORE]), storage: stepWith([SSTORE, TSTORE]) }
}

/** The settled step that has exactly the writes of earlier statements; undefined if neither has, or if it is not known. */
function stepWithWrites(
  recording: Recording,
  { before, after }: SettledSteps,
  opcodes: readonly number[],
  isEarlier: (step: number) => boolean | undefined,
): number | undefined {
  let [hasEarlier, hasLater] = [false, false]
  for (let at = before; at < after; at++) {
    if (!opcodes.includes(recording.opcodeAt(at))) continue
    const found = isEarlier(at)
    if (found === undefined) return undefined
    if (found) hasEarlier = true
    else hasLater = true
  }
  if (hasEarlier && hasLater) return undefined
  return hasEarlier ? after : before
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
