/** Adds up the gas of the executions of one contract. */

import { GasHistogram } from './gas-histogram.ts'

/** Gas of those executions that succeeded, and the number of those that did not. */
export class OutcomeTally {
  readonly gas = new GasHistogram()
  failed = 0

  /** Adds an execution. The gas of a failed one tells nothing about the function. */
  add({ gasUsed, isSuccess }: MeasuredGas): void {
    if (isSuccess) this.gas.add(gasUsed)
    else this.failed++
  }

  /** Adds the executions of another tally. */
  merge(other: OutcomeTally): void {
    this.gas.merge(other.gas)
    this.failed += other.failed
  }

  get isUsed(): boolean {
    return this.gas.count + this.failed > 0
  }
}

/** The gas of an execution. */
export interface MeasuredGas {
  readonly gasUsed: number
  readonly isSuccess: boolean
}

/** Executions of one function. */
export class FunctionTally {
  readonly transactions = new OutcomeTally()
  readonly calls = new GasHistogram()

  /** Adds the executions of another tally. */
  merge(other: FunctionTally): void {
    this.transactions.merge(other.transactions)
    this.calls.merge(other.calls)
  }
}

/** The name of the row that stands for all functions beyond the maximum. */
export const OTHER_FUNCTIONS = 'other functions'

/** Maximum number of functions of a contract; calls with random data could make any number of them. */
const MAX_FUNCTIONS = 1000

/** Executions of one contract. */
export class ContractTally {
  readonly deployments = new OutcomeTally()
  /** Bytes of the code; 0 if none was deployed. */
  codeSize = 0
  /** By selector, or by signature once the contract is known. */
  readonly functions = new Map<string, FunctionTally>()

  /** The tally of a function, which is new at its first execution. */
  functionTally(name: string): FunctionTally {
    const known = this.functions.get(name)
    if (known !== undefined) return known
    if (this.functions.size >= MAX_FUNCTIONS && name !== OTHER_FUNCTIONS)
      return this.functionTally(OTHER_FUNCTIONS)
    const tally = new FunctionTally()
    this.functions.set(name, tally)
    return tally
  }

  /** Adds deployments whose code has a size. */
  mergeDeployments(deployments: OutcomeTally, codeSize: number): void {
    this.deployments.merge(deployments)
    this.codeSize = Math.max(this.codeSize, codeSize)
  }

  /** Adds the executions of another tally with the same names of functions. */
  merge({ deployments, codeSize, functions }: ContractTally): void {
    this.mergeDeployments(deployments, codeSize)
    for (const [name, tally] of functions) this.functionTally(name).merge(tally)
  }
}
