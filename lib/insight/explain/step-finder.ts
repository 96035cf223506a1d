/** Finds the instruction that a debugger would go to: the next call, log or failure, or the next one outside of calls. */

import type { Step } from '../../evm/observer.ts'
import type { MappedCode } from './mapped-code.ts'

/**
 * The goal of a search. `over` is the nearest instruction of the same frame or its callers, `out` of its callers.
 * A failure is a REVERT or an exception.
 */
type StepGoal = 'call' | 'log' | 'failure' | 'over' | 'out'

/** A search, from an instruction, which itself is not found. */
export interface StepSearch {
  readonly from: number
  readonly goal: StepGoal
  readonly direction: 'forwards' | 'backwards'
}

const CALLS: ReadonlySet<string | undefined> = new Set([
  'CALL',
  'CALLCODE',
  'DELEGATECALL',
  'STATICCALL',
  'CREATE',
  'CREATE2',
])

/** Searches while the execution runs. */
export class StepFinder implements StepListener {
  readonly #search: StepSearch
  /** Index of the newest instruction before `from` at each depth. */
  readonly #newestAt: number[] = []
  #depth: number | undefined
  #index = 0
  /** Index of the instruction; undefined if there is none. */
  found: number | undefined

  constructor(search: StepSearch) {
    this.#search = search
  }

  readonly onStep = ({ index, step }: PlacedStep): void => {
    this.#index = index
    const { from, goal, direction } = this.#search
    const { depth } = step
    if (index === from) {
      this.#depth = depth
      if (direction === 'backwards') this.#lookBack(depth)
    }
    if (index < from && direction === 'backwards') this.#newestAt[depth] = index
    if (goal !== 'over' && goal !== 'out') {
      if (isGoal(goal, step)) this.#meet(index)
    } else if (direction === 'forwards' && this.#depth !== undefined && index > from) {
      if (depth < this.#depth || (goal === 'over' && depth === this.#depth)) this.#meet(index)
    }
  }

  readonly onFault = (): void => {
    if (this.#search.goal === 'failure') this.#meet(this.#index)
  }

  #meet(index: number): void {
    const { from, direction } = this.#search
    if (direction === 'backwards' ? index < from : index > from && this.found === undefined)
      this.found = index
  }

  #lookBack(depth: number): void {
    const { goal } = this.#search
    if (goal !== 'over' && goal !== 'out') return
    const before = this.#newestAt.slice(0, goal === 'over' ? depth + 1 : depth)
    const newest = Math.max(-1, ...before)
    if (newest >= 0) this.found = newest
  }
}

function isGoal(goal: 'call' | 'log' | 'failure', { name }: Step): boolean {
  if (goal === 'call') return CALLS.has(name)
  return goal === 'log' ? name?.startsWith('LOG') === true : name === 'REVERT'
}

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
