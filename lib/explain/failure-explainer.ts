/** Explains failed executions of requests, if contracts are known. The explanations themselves are loaded at the first one. */

import type { ContractCatalog } from '../artifacts/catalog.ts'
import type { Receipt } from '../chain/block.ts'
import type { ChainEntry } from '../chain/chain-entry.ts'
import type { Observer } from '../evm/observer.ts'
import type { Outcome } from '../evm/outcome.ts'
import type { PreparedCall } from '../evm/simulated-call.ts'
import type { Explainer, ObservedCalls } from './explainer.ts'
import type { ExplainedFailure } from './solidity-stack.ts'

/** Maximum gas of what is executed again, because the response waits for it. */
const MAX_GAS = 100_000_000n

/** Dependencies of a failure explainer. */
export interface FailureExplainerDependencies {
  /** Whether failures are explained at all (--no-solidity-stacks). */
  readonly isEnabled: boolean
  readonly contractCatalog: ContractCatalog
  readonly loadExplainer: () => Promise<Explainer>
  readonly startTimer: () => Pick<Observer, 'onSlice'>
}

/** Explains failures without the calls, events and changes of a whole explanation. */
export class FailureExplainer {
  readonly #dependencies: FailureExplainerDependencies

  constructor(dependencies: FailureExplainerDependencies) {
    this.#dependencies = dependencies
  }

  /** Explains a failed call or estimate; undefined if no contract is known. */
  async call({ gasUsed }: Outcome, prepare: () => PreparedCall): Promise<ExplainedFailure | undefined> {
    if (!(await this.#canExplain(gasUsed))) return undefined
    const explainer = await this.#dependencies.loadExplainer()
    return explainer.failedCall(prepare(), this.#dependencies.startTimer())
  }

  /** Explains failed calls of a simulation, by their positions; empty if no contract is known. */
  async calls(
    outcomes: ReadonlyMap<number, Outcome>,
    simulate: ObservedCalls,
  ): Promise<ReadonlyMap<number, ExplainedFailure>> {
    const failed = [...outcomes].filter(([, { status }]) => status !== 'success')
    let gasUsed = 0n
    for (const outcome of outcomes.values()) gasUsed += outcome.gasUsed
    if (failed.length === 0 || !(await this.#canExplain(gasUsed))) return new Map()
    const explainer = await this.#dependencies.loadExplainer()
    const positions = new Set(failed.map(([position]) => position))
    return explainer.failedCalls(positions, simulate, this.#dependencies.startTimer())
  }

  /** Explains failed transactions of a block, by their index; empty if no contract is known. */
  async transactions(
    entry: ChainEntry,
    failed: readonly Receipt[],
  ): Promise<ReadonlyMap<number, ExplainedFailure>> {
    if (!(await this.#canExplain(failed.at(-1)?.cumulativeGasUsed ?? 0n))) return new Map()
    const explainer = await this.#dependencies.loadExplainer()
    return explainer.failedTransactions(
      entry,
      failed.map(({ index }) => index),
    )
  }

  async #canExplain(gas: bigint): Promise<boolean> {
    const { isEnabled, contractCatalog } = this.#dependencies
    if (!isEnabled || gas > MAX_GAS) return false
    await contractCatalog.refreshUnlessRecent()
    return !contractCatalog.isEmpty
  }
}
