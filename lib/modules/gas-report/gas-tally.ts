/** Adds up the gas of contract executions in histograms that use little memory, and makes the report. */

import { getOrAdd } from '../../base/once.ts'
import type { GasFigures, ContractReport, GasReport, TransactionFigures } from './results.ts'

/** Maximum number of amounts that are counted separately. */
const MAX_AMOUNTS = 4096

/** What `merge` reads of a tally, which may have been JSON. */
type TallyContent = Pick<GasTally, 'sum' | 'least' | 'most' | 'failed' | 'codeSize'> & {
  readonly counts: Iterable<readonly [gas: number, count: number]>
}

/** Whether there were executions, because each uses gas. */
export const isUsed = ({ most, failed }: Pick<TallyContent, 'most' | 'failed'>): boolean => most + failed > 0

/**
 * How often successful executions used each amount of gas, and the number of failed ones. Beyond `MAX_AMOUNTS` different amounts,
 * the median is exact to about 0.1 percent.
 */
export class GasTally {
  counts = new Map<number, number>()
  /** Amounts are rounded down to multiples of this power of two. */
  #width = 1
  #count = 0
  sum = 0
  // Not Infinity, which JSON cannot express.
  least = Number.MAX_SAFE_INTEGER
  most = 0
  /** Failed executions, whose gas says nothing about the function. */
  failed = 0
  /** Bytes of the deployed code; 0 as long as nothing was deployed. */
  codeSize = 0

  /** Adds a successful execution. */
  add(gas: number): void {
    this.merge({ counts: [[gas, 1]], sum: gas, least: gas, most: gas, failed: 0, codeSize: 0 })
  }

  /** Adds another tally's executions. */
  merge({ counts, sum, least, most, failed, codeSize }: TallyContent): void {
    this.sum += sum
    this.least = Math.min(this.least, least)
    this.most = Math.max(this.most, most)
    this.failed += failed
    this.codeSize = Math.max(this.codeSize, codeSize)
    for (const [gas, count] of counts) {
      this.#count += count
      this.#addCount(gas, count)
    }
  }

  /** The figures of the successful executions; undefined without any. */
  get figures(): GasFigures | undefined {
    if (this.#count === 0) return undefined
    const counts = [...this.counts].toSorted(([a], [b]) => a - b)
    const lower = amountAt(counts, Math.ceil(this.#count / 2))
    const upper = amountAt(counts, Math.floor(this.#count / 2) + 1)
    return {
      count: this.#count,
      least: this.least,
      mean: Math.round(this.sum / this.#count),
      median: Math.max(this.least, Math.round((lower + upper) / 2)),
      most: this.most,
    }
  }

  #addCount(gas: number, count: number): void {
    const amount = gas - (gas % this.#width)
    this.counts.set(amount, (this.counts.get(amount) ?? 0) + count)
    if (this.counts.size <= MAX_AMOUNTS) return
    this.#width *= 2
    const finer = this.counts
    this.counts = new Map()
    for (const [each, times] of finer) this.#addCount(each, times)
  }
}

/** The amount at a rank, from 1 for the minimum. */
function amountAt(counts: readonly (readonly [gas: number, count: number])[], rank: number): number {
  let seen = 0
  for (const [gas, count] of counts) {
    seen += count
    if (seen >= rank) return gas
  }
  return 0
}

export interface FunctionTally {
  readonly transactions: GasTally
  readonly calls: GasTally
}

/** The row for all functions beyond the maximum. */
const OTHER_FUNCTIONS = 'other functions'

/** Maximum number of functions per contract, because calls with random data could create any number. */
const MAX_FUNCTIONS = 1000

export class ContractTally {
  readonly deployments = new GasTally()
  /** By selector, or by signature once the contract is known. */
  readonly functions = new Map<string, FunctionTally>()

  /** The tally of a function, created at its first execution. */
  functionTally(name: string): FunctionTally {
    const isFull = this.functions.size >= MAX_FUNCTIONS && !this.functions.has(name)
    return getOrAdd(this.functions, isFull ? OTHER_FUNCTIONS : name, () => ({
      transactions: new GasTally(),
      calls: new GasTally(),
    }))
  }
}

/** What another process reads of a `ContractTally`. */
export interface ContractContent {
  readonly deployments: TallyContent
  readonly functions: Iterable<
    readonly [name: string, { readonly [kind in keyof FunctionTally]: TallyContent }]
  >
}

export function gasReport(tallies: ReadonlyMap<string, ContractTally>): GasReport {
  const contracts = [...tallies]
    .toSorted(byKey)
    .map(([contract, { deployments, functions }]): ContractReport => ({
      contract,
      deployments: isUsed(deployments)
        ? { ...transactionFigures(deployments), codeSize: deployments.codeSize || undefined }
        : undefined,
      functions: [...functions].toSorted(byKey).map(([name, { transactions, calls }]) => ({
        function: name,
        transactions: isUsed(transactions) ? transactionFigures(transactions) : undefined,
        calls: calls.figures,
      })),
    }))
  return { version: 1, contracts }
}

/** Compares by code units, so that the order is the same everywhere. */
const byKey = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1)

const transactionFigures = ({ figures, failed }: GasTally): TransactionFigures => ({
  count: 0,
  ...figures,
  failed,
})
