/** Instructions of an execution with the code that they belong to. */

import type { Step } from '../evm/observer.ts'
import type { MappedCode } from './mapped-code.ts'

/** An instruction that is about to run. */
export interface PlacedStep {
  /** From 0, over the whole transaction. */
  readonly index: number
  readonly step: Step
  /** The code of its frame; undefined for an unknown contract. */
  readonly mapped: MappedCode | undefined
}

/** Receives the instructions of one execution. */
export interface StepListener {
  readonly onStep?: (placed: PlacedStep) => void
  /** The newest instruction failed. */
  readonly onFault?: (step: Step, exception: string) => void
}
