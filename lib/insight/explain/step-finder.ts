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

/** Receives the instructions of one execution. */
export interface StepListener {
  /** The instruction with an index, from 0 over the whole transaction, is about to run; code of an unknown contract is undefined. */
  onStep?(index: number, step: Step, mapped: MappedCode | undefined): void
  /** The newest instruction failed. */
  onFault?(step: Step, exception: string): void
}

/** Searches while the execution runs. */
export class StepFinder implements StepListener {
  readonly #search: StepSearch
  /** Index of the newest instruction before `from` at each depth. */
  readonly #newestAt: number[] = []
  /** `over` and `out` find depths below it; 0 until `from` is reached. */
  #limit = 0
  #index = 0
  #found: number | undefined

  constructor(search: StepSearch) {
    this.#search = search
  }

  /** Index of the instruction; undefined if no instruction was found. */
  end(): number | undefined {
    return this.#found
  }

  onStep(index: number, step: Step): void {
    this.#index = index
    const { from, goal } = this.#search
    const { depth } = step
    if (goal !== 'over' && goal !== 'out') {
      if (isGoal(goal, step)) this.#meet(index)
    } else if (index < from) this.#newestAt[depth] = index
    else if (index > from) {
      if (depth < this.#limit) this.#meet(index)
    } else {
      this.#limit = goal === 'over' ? depth + 1 : depth
      const before = this.#newestAt.slice(0, this.#limit)
      if (before.length > 0) this.#meet(Math.max(...before))
    }
  }

  onFault(): void {
    if (this.#search.goal === 'failure') this.#meet(this.#index)
  }

  #meet(index: number): void {
    const { from, direction } = this.#search
    if (direction === 'backwards' ? index < from : index > from && this.#found === undefined)
      this.#found = index
  }
}

function isGoal(goal: 'call' | 'log' | 'failure', { name }: Step): boolean {
  if (goal === 'call') return CALLS.has(name)
  return goal === 'log' ? name?.startsWith('LOG') === true : name === 'REVERT'
}
