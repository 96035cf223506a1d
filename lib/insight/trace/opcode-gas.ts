/** Counts and gas of executed instructions by name, in the form of reth and Anvil (trace_transactionOpcodeGas). */

import { getOrAdd } from '../../base/get-or-add.ts'
import { present } from '../../base/invariant.ts'
import type { ExitEvent, Step, SyncObserver } from '../../evm/observer.ts'
import { opcodeName } from './call-tree.ts'
import type { Recorder } from './replay.ts'

/** Figures of one instruction. */
export interface OpcodeGas {
  readonly opcode: string
  count: number
  /**
   * Gas that the instruction itself took. Gas of a call that ran code counts for the instructions in it; gas that an exception burns,
   * for the instruction that failed. With the intrinsic gas and less the refund, the sum is the gas used.
   */
  gasUsed: number
}

interface MeasuredFrame {
  readonly gas: number
  /** Figures of the newest instruction, and the gas left before it. */
  last: { readonly figures: OpcodeGas; readonly gasLeft: number } | undefined
  /** Gas that the calls of the newest instruction used. */
  inner: number
}

/** Records the figures of one execution, the most gas first. */
export function recordOpcodeGas(): Recorder<OpcodeGas[]> {
  const all = new Map<string, OpcodeGas>()
  const frames: MeasuredFrame[] = []
  const settle = (frame: MeasuredFrame, gasLeft: number): void => {
    if (frame.last !== undefined) frame.last.figures.gasUsed += frame.last.gasLeft - gasLeft - frame.inner
    frame.inner = 0
  }
  const onOpcode = (step: Step): undefined => {
    const frame = present(frames.at(-1), 'frame of a step')
    const gasLeft = Number(step.gasLeft)
    settle(frame, gasLeft)
    const opcode = opcodeName(step)
    const figures = getOrAdd(all, opcode, () => ({ opcode, count: 0, gasUsed: 0 }))
    figures.count++
    frame.last = { figures, gasLeft }
  }
  const onExit = ({ gasUsed, ranCode }: ExitEvent): void => {
    const frame = present(frames.pop(), 'frame that ends')
    settle(frame, frame.gas - Number(gasUsed))
    const caller = frames.at(-1)
    if (caller !== undefined && ranCode) caller.inner += Number(gasUsed)
  }
  const observer: SyncObserver = {
    onEnter: ({ gas }) => void frames.push({ gas: Number(gas), last: undefined, inner: 0 }),
    onOpcode,
    onExit,
  }
  const end = (): OpcodeGas[] =>
    [...all.values()].sort((left, right) => right.gasUsed - left.gasUsed || right.count - left.count)
  return { observer, end }
}
