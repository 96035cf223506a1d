/** Explains failed executions of requests, if contracts are known. The explainer is loaded at the first failure. */

import type { ContractCatalog } from '../artifacts/catalog.ts'
import { finish, runThrough, type Routine } from '../../base/routine.ts'
import type { Receipt } from '../../chain/block.ts'
import type { ChainEntry } from '../../chain/chain-entry.ts'
import type { Observer } from '../../evm/observer.ts'
import type { Outcome } from '../../evm/outcome.ts'
import type { PreparedCall } from '../../evm/simulated-call.ts'
import type { SourceAwaiter } from './explained-call.ts'
import type { ExplainedFailures, Explainer, ObservedCalls } from './explainer.ts'
import type { ExplainedFailure } from './solidity-stack.ts'

/** Maximum gas of an execution that is repeated, because the response waits for it. */
const MAX_GAS = 100_000_000n

const NO_FAILURES: ExplainedFailures = new Map()

export interface FailureExplainerDependencies {
  /** Whether failures are explained at all (--no-solidity-stacks). */
  readonly isEnabled: boolean
  readonly contractCatalog: ContractCatalog
  readonly loadExplainer: () => Promise<Explainer>
  /** Waits for sources of remote contracts; absent if nobody looks for them. */
  readonly withSources: SourceAwaiter | undefined
  readonly startTimer: () => Pick<Observer, 'onSlice'>
}

/** Explains failures without the calls, events and changes of a full explanation. */
export class FailureExplainer {
  readonly #dependencies: FailureExplainerDependencies
  #explainer: Explainer | undefined

  constructor(dependencies: FailureExplainerDependencies) {
    this.#dependencies = dependencies
  }

  /** Explains a failed call or estimate; undefined if no contract is known. */
  call({ gasUsed }: Outcome, prepare: () => PreparedCall): Promise<ExplainedFailure | undefined> {
    const { startTimer } = this.#dependencies
    return this.#explain(gasUsed, undefined, (explainer) => explainer.failedCall(prepare(), startTimer()))
  }

  /** Like `call`, without pauses. Call `load` first. */
  callNow({ gasUsed }: Outcome, prepare: () => PreparedCall): ExplainedFailure | undefined {
    const { startTimer } = this.#dependencies
    return this.#explainNow(gasUsed, (explainer) => explainer.failedCall(prepare(), startTimer()))
  }

  /** Explains failed calls of a simulation by position; empty if no contract is known. */
  async calls(outcomes: ReadonlyMap<number, Outcome>, simulate: ObservedCalls): Promise<ExplainedFailures> {
    const failed = [...outcomes].filter(([, { status }]) => status !== 'success')
    if (failed.length === 0) return NO_FAILURES
    let gasUsed = 0n
    for (const outcome of outcomes.values()) gasUsed += outcome.gasUsed
    const positions = new Set(failed.map(([position]) => position))
    const { startTimer } = this.#dependencies
    return this.#explain(gasUsed, NO_FAILURES, (explainer) =>
      explainer.failedCalls(positions, simulate, startTimer()),
    )
  }

  /** Explains failed transactions of a block by index; empty if no contract is known. */
  transactions(entry: ChainEntry, failed: readonly Receipt[]): Promise<ExplainedFailures> {
    const indexes = failed.map(({ index }) => index)
    return this.#explain(failed.at(-1)?.cumulativeGasUsed ?? 0n, NO_FAILURES, (explainer) =>
      explainer.failedTransactions(entry, indexes),
    )
  }

  /** Like `transactions` for a single one, without pauses. Call `load` first. */
  transactionNow(entry: ChainEntry, { index, cumulativeGasUsed }: Receipt): ExplainedFailure | undefined {
    return this.#explainNow(cumulativeGasUsed, (one) => one.failedTransactions(entry, [index]))?.get(index)
  }

  /** Whether failures can be explained later and without pauses. */
  get canWait(): boolean {
    const { isEnabled, withSources } = this.#dependencies
    return isEnabled && withSources === undefined
  }

  /** Loads what explanations without pauses need. */
  async load(): Promise<void> {
    const { contractCatalog, loadExplainer } = this.#dependencies
    await contractCatalog.load()
    this.#explainer = await loadExplainer()
  }

  #explainNow<T>(gas: bigint, explain: (explainer: Explainer) => Routine<T>): T | undefined {
    const [{ contractCatalog }, explainer] = [this.#dependencies, this.#explainer]
    contractCatalog.refreshNow('old')
    const isEmpty = contractCatalog.isEmpty && !contractCatalog.refreshNow('unknown')
    if (explainer === undefined || isEmpty || gas > MAX_GAS) return undefined
    const explained = runThrough(explain(explainer))
    return contractCatalog.refreshNow('unknown') ? runThrough(explain(explainer)) : explained
  }

  /** Explains an execution that is not too large. If contracts that it lacked have just been compiled, explains again. */
  async #explain<T>(gas: bigint, none: T, explain: (explainer: Explainer) => Routine<T>): Promise<T> {
    const { isEnabled, contractCatalog, loadExplainer, withSources } = this.#dependencies
    if (!isEnabled || gas > MAX_GAS) return none
    await contractCatalog.refreshUnlessRecent()
    const isEmpty = contractCatalog.isEmpty && !(await contractCatalog.refreshForUnknown())
    if (isEmpty && withSources === undefined) return none
    const explainer = await loadExplainer()
    const run = async (): Promise<T> => {
      const explained = await finish(explain(explainer))
      return (await contractCatalog.refreshForUnknown()) ? finish(explain(explainer)) : explained
    }
    return withSources === undefined ? run() : withSources(run)
  }
}
