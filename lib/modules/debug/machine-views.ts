/** Where values are read from at a recorded step, and whether optimized code has them as the source requires. */

import { equalBytes } from '../../base/hex.ts'
import { once } from '../../base/once.ts'
import { isCreation } from '../../insight/replay/call-tree.ts'
import { codeStatements } from './code-statements.ts'
import { writesLast, writtenBy } from './assignments.ts'
import type { DebugStatement } from './debug-function.ts'
import type { Activations } from './activations.ts'
import { nameOf, type RunningFunction } from './call-stack.ts'
import type { Recording } from './recording.ts'
import { hasEffectsAfter, settledSteps, stepWithEffects } from './settled-steps.ts'
import type { MachineView } from './values/value.ts'

export interface FunctionView extends MachineView {
  /** Whether memory is certain, because the optimizer moves writes. */
  readonly isMemoryCertain: () => boolean
  /** Whether every slot read since the last call of this method is certain. */
  readonly takeStorageCertain: () => boolean
}

/** Steps near a step at which the machine has all writes, and those that have exactly the writes before a statement. */
interface WriteSteps {
  readonly before: number
  readonly after: number
  /** Undefined if no step is known to have them. */
  readonly memory: number | undefined
  readonly storage: number | undefined
  /** Whether the storage may lack writes at both steps. */
  readonly hasLostWrites?: boolean
}

/** The view of a running function, which may be a caller. `now` is the debugger's step, for storage. */
export function viewOf(activations: Activations, running: RunningFunction, now: number): FunctionView {
  const { recording } = activations
  const { frame } = running.activation
  // Callees in the same frame share the memory.
  const step = recording.frameAt(now) === frame ? now : lastStepOf(recording, running, now)
  const around = writeStepsOf(activations, running, step)
  let isStorageCertain = true
  const read =
    (valueAt: (step: number, account: typeof frame.account, slot: bigint) => bigint) =>
    (slot: bigint): bigint => {
      if (around === undefined || step !== now) return valueAt(now, frame.account, slot)
      if (around.storage !== undefined) return valueAt(around.storage, frame.account, slot)
      const before = valueAt(around.before, frame.account, slot)
      if (around.hasLostWrites === true || before !== valueAt(around.after, frame.account, slot))
        isStorageCertain = false
      return before
    }
  const entries = frame.mapped && codeStatements(frame.mapped)
  const memory = once(() => recording.memoryAt(around?.memory ?? around?.before ?? step))
  return {
    get memory() {
      return memory()
    },
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
    isMemoryCertain: once(
      () =>
        around === undefined ||
        around.memory !== undefined ||
        equalBytes(memory(), recording.memoryAt(around.after)),
    ),
    takeStorageCertain: () => {
      const was = isStorageCertain
      isStorageCertain = true
      return was
    },
  }
}

/** The steps at which optimized code has its writes; undefined for other code, which writes in order. */
function writeStepsOf(
  activations: Activations,
  { activation: { frame, declared }, visit }: RunningFunction,
  step: number,
): WriteSteps | undefined {
  const { settings } = frame.mapped?.contract.compilation ?? {}
  if (settings === undefined || visit === undefined) return undefined
  const { statement: current } = visit
  const { isKnown, isOptimized, viaIr } = settings
  const isReading = ['view', 'pure'].includes(String(current.within.node['stateMutability']))
  // The optimizer of the IR pipeline also removes writes.
  if (!isKnown || (isOptimized && viaIr && !isReading))
    return { before: step, after: step, memory: undefined, storage: undefined, hasLostWrites: true }
  if (!isOptimized || viaIr) return undefined
  const settled = settledSteps(activations, visit, step)
  const { before, after, others } = settled
  // Code of another function was either inlined here or merged with this function's code.
  const { within } = current
  const isOther = declared !== undefined && within !== declared && within.kind !== 'modifier'
  const isClear = (isWriting: (statement: DebugStatement) => boolean): boolean =>
    !visit.isDoubtful && !isOther && ![...others].some(isWriting)
  const exact = (isWriting: (statement: DebugStatement) => boolean): number | undefined =>
    isClear(isWriting)
      ? stepWithEffects(settled, current, within.statements.filter(isWriting), writesLast)
      : undefined
  const isChanging = (statement: DebugStatement): boolean => writtenBy(statement).has('memory')
  const changing = within.statements.filter(isChanging)
  // Allocated memory does not change, so the later step has it unless something else is written.
  const isLater = isClear(isChanging) && hasEffectsAfter(settled, current, changing, writesLast)
  const storage = exact((statement) => writtenBy(statement).has('storage'))
  return {
    before,
    after,
    memory: isLater
      ? after
      : exact((statement) => isChanging(statement) || writtenBy(statement).has('fresh')),
    storage,
    hasLostWrites: storage === undefined,
  }
}

/** The last step of a frame that waits for a call, which is the step of the call. */
function lastStepOf(
  recording: Recording,
  { activation: { frame }, step }: RunningFunction,
  now: number,
): number {
  let called = recording.frameAt(now)
  while (called !== undefined && called.parent !== frame) called = called.parent
  return called === undefined ? step : called.first - 1
}
