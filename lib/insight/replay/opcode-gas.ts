/** Counts and gas of executed instructions by name, in the form of reth and Anvil (trace_transactionOpcodeGas). */

import { getOrAdd } from '../../base/once.ts'
import { present } from '../../base/invariant.ts'
import type { EnterEvent, ExitEvent, Step, SyncObserver } from '../../evm/observer.ts'
import { opcodeName } from './call-tree.ts'
import type { Recorder } from './replay.ts'

export interface OpcodeGas {
  readonly opcode: string
  count: number
  /**
   * The instruction's own gas. The gas of a call that ran code counts for the instructions in it; the gas that an exception burns
   * counts for the failed instruction. The sum plus intrinsic gas minus refund is the gas used.
   */
  gasUsed: number
}

/** Measures the own gas of a frame's instructions, without the gas of calls. */
export function gasMeter({ gas }: Pick<EnterEvent, 'gas'>) {
  let left = gas
  let inner = 0
  const until = (now: bigint): number => {
    const taken = Number(left - now) - inner
    left = now
    inner = 0
    return taken
  }
  return {
    step: ({ gasLeft }: Pick<Step, 'gasLeft'>) => until(gasLeft),
    /** Ends the frame. Returns the gas of the last instruction, or of the whole frame if it ran no code. */
    end: ({ gasUsed }: Pick<ExitEvent, 'gasUsed'>) => until(gas - gasUsed),
    addCall: (used: bigint) => void (inner += Number(used)),
  }
}

interface MeasuredFrame {
  readonly meter: ReturnType<typeof gasMeter>
  /** The newest instruction's figures. */
  newest: OpcodeGas | undefined
}

/** Records the figures of one execution, most gas first. */
export function recordOpcodeGas(): Recorder<OpcodeGas[]> {
  const all = new Map<string, OpcodeGas>()
  const frames: MeasuredFrame[] = []
  const add = ({ newest }: MeasuredFrame, gas: number): void => {
    if (newest !== undefined) newest.gasUsed += gas
  }
  const observer: SyncObserver = {
    onEnter: (event) => void frames.push({ meter: gasMeter(event), newest: undefined }),
    onOpcode: (step): undefined => {
      const frame = present(frames.at(-1), 'frame of a step')
      add(frame, frame.meter.step(step))
      const opcode = opcodeName(step)
      frame.newest = getOrAdd(all, opcode, () => ({ opcode, count: 0, gasUsed: 0 }))
      frame.newest.count++
    },
    onExit: (event) => {
      const frame = present(frames.pop(), 'frame that ends')
      add(frame, frame.meter.end(event))
      if (event.ranCode) frames.at(-1)?.meter.addCall(event.gasUsed)
    },
  }
  const end = (): OpcodeGas[] =>
    [...all.values()].sort((left, right) => right.gasUsed - left.gasUsed || right.count - left.count)
  return { observer, end }
}
