/** Adds up the gas of the executions of one contract, in histograms that take little memory. */

/** Gas of the successful executions, and the number of failed ones. */
export class OutcomeTally {
  readonly gas = new GasHistogram()
  failed = 0

  /** Adds an execution. The gas of a failed one says nothing about the function. */
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
interface MeasuredGas {
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
const OTHER_FUNCTIONS = 'other functions'

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

/** Figures of several amounts of gas. */
export interface GasFigures {
  readonly count: number
  readonly least: number
  /** Rounded. */
  readonly mean: number
  /** Of an even count, the mean of the two in the middle, rounded. */
  readonly median: number
  readonly most: number
}

/** Maximum number of amounts that are counted apart. */
const MAX_AMOUNTS = 4096

/** How often each amount of gas was used. Beyond `MAX_AMOUNTS` different ones, the median is exact to about 0.1 percent. */
export class GasHistogram {
  #counts = new Map<number, number>()
  /** Amounts are rounded down to multiples of this power of two. */
  #width = 1
  #count = 0
  #sum = 0
  #least = Infinity
  #most = 0

  get count(): number {
    return this.#count
  }

  /** Adds an amount. */
  add(gas: number): void {
    this.#count++
    this.#sum += gas
    this.#least = Math.min(this.#least, gas)
    this.#most = Math.max(this.#most, gas)
    this.#addCount(gas, 1)
  }

  /** Adds the amounts of another histogram. */
  merge(other: GasHistogram): void {
    this.#count += other.#count
    this.#sum += other.#sum
    this.#least = Math.min(this.#least, other.#least)
    this.#most = Math.max(this.#most, other.#most)
    for (const [gas, count] of other.#counts) this.#addCount(gas, count)
  }

  /** The figures; undefined without amounts. */
  get figures(): GasFigures | undefined {
    if (this.#count === 0) return undefined
    const counts = [...this.#counts].toSorted(([a], [b]) => a - b)
    const lower = amountAt(counts, Math.ceil(this.#count / 2))
    const upper = amountAt(counts, Math.floor(this.#count / 2) + 1)
    return {
      count: this.#count,
      least: this.#least,
      mean: Math.round(this.#sum / this.#count),
      median: Math.max(this.#least, Math.round((lower + upper) / 2)),
      most: this.#most,
    }
  }

  #addCount(gas: number, count: number): void {
    const amount = gas - (gas % this.#width)
    this.#counts.set(amount, (this.#counts.get(amount) ?? 0) + count)
    if (this.#counts.size <= MAX_AMOUNTS) return
    this.#width *= 2
    const finer = this.#counts
    this.#counts = new Map()
    for (const [each, times] of finer) this.#addCount(each, times)
  }
}

/** The amount with a rank, from 1 for the minimum. */
function amountAt(counts: readonly (readonly [gas: number, count: number])[], rank: number): number {
  let seen = 0
  for (const [gas, count] of counts) {
    seen += count
    if (seen >= rank) return gas
  }
  return 0
}
