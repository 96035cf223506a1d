/** The failed executions of a request or of a block, explained as far as contracts are known. */

import { NodeError } from '../base/errors.ts'
import { toHex } from '../base/hex.ts'
import type { Address } from '../base/hex.ts'
import { NotLoadedError } from '../base/not-loaded.ts'
import { isCustomError } from '../abi/revert-reason.ts'
import type { Receipt } from '../chain/block.ts'
import type { ChainEntry } from '../chain/chain-entry.ts'
import type { FailedRun, NodeHooks } from '../config/request-log.ts'
import type { Outcome } from '../evm/outcome.ts'
import type { ExplainedFailures, ObservedCalls } from '../insight/explain/explainer.ts'
import type { FailureExplainer } from '../insight/explain/failure-explainer.ts'
import type { ExplainedFailure } from '../insight/explain/solidity-stack.ts'
import type { Node } from '../node/node.ts'
import { knownStack } from './error-codes.ts'
import { failureText } from './outcome-error.ts'

/** Explains how an execution failed; undefined if no contract is known. */
type Explain = () => Promise<ExplainedFailure | undefined>

/** An execution whose state changes are discarded. */
export interface SimulatedExecution {
  readonly kind: 'call' | 'estimate'
  /** Absent for a contract creation. */
  readonly to: Address | undefined
  readonly outcome: Outcome
  readonly explain: Explain
}

/** How an execution failed; undefined if it is not explained. */
export type FailureOf = (outcome: Outcome) => ExplainedFailure | undefined

/** Transactions of a block that have console output or failed. */
interface MinedTransactions {
  readonly entry: ChainEntry
  readonly receipts: readonly Receipt[]
}

/** A failed execution. */
interface FailedExecution {
  readonly run: Pick<FailedRun, 'kind' | 'hash' | 'to'>
  readonly outcome: Outcome
  readonly explain: Explain
}

/** Collects failed executions, and explains them when they are all known. */
export class FailedExecutions {
  readonly #services: Pick<Node, 'customErrors' | 'failureExplainer'>
  readonly #onFault: NodeHooks['onFault']
  readonly #failed: FailedExecution[] = []
  /** Undefined for executions that cannot be explained. */
  readonly #explained = new Map<Outcome, ExplainedFailure | undefined>()

  constructor(services: Pick<Node, 'customErrors' | 'failureExplainer'>, onFault?: NodeHooks['onFault']) {
    this.#services = services
    this.#onFault = onFault
  }

  addSimulated({ kind, to, outcome, explain }: SimulatedExecution): void {
    if (outcome.status === 'success') return
    this.#failed.push({ run: { kind, to: to ?? null }, outcome, explain: () => this.#attempt(explain) })
  }

  addMined({ entry, receipts }: MinedTransactions): void {
    const failed = receipts.filter(({ outcome }) => outcome.status !== 'success')
    const { failureExplainer } = this.#services
    let failures: Promise<ExplainedFailures | undefined> | undefined
    for (const { transaction, outcome, index } of failed) {
      const explain = async () => {
        failures ??= this.#attempt(() => failureExplainer.transactions(entry, failed))
        return (await failures)?.get(index)
      }
      const run = { kind: 'transaction', hash: transaction.hash, to: transaction.to ?? null } as const
      this.#failed.push({ run, outcome, explain })
    }
  }

  get isEmpty(): boolean {
    return this.#failed.length === 0
  }

  /** The outcome of the last simulated execution, if it failed. */
  get lastSimulated(): Outcome | undefined {
    return this.#failed.findLast(({ run }) => run.kind !== 'transaction')?.outcome
  }

  /** Looks up the names of custom errors, and explains the failures. Never rejects. */
  async explain(): Promise<void> {
    for (const { outcome } of this.#failed) await this.#resolveCustomError(outcome)
    for (const { outcome, explain } of this.#failed) {
      if (this.#explained.has(outcome)) continue
      this.#explained.set(outcome, undefined)
      this.#explained.set(outcome, await explain())
    }
  }

  /** How an execution failed; undefined if it is not explained. */
  of(outcome: Outcome): ExplainedFailure | undefined {
    return this.#explained.get(outcome)
  }

  /** Why an execution failed, in a few words. */
  textOf(outcome: Outcome): string {
    return failureText(outcome, this.#services.customErrors.textOf, this.of(outcome))
  }

  /** The failures for the log, except that of one outcome. */
  logged(except?: Outcome): readonly FailedRun[] {
    return this.#failed
      .filter(({ outcome }) => outcome !== except)
      .map(({ run, outcome }) => {
        const solidityStack = knownStack(this.of(outcome))
        const stack = solidityStack === undefined ? {} : { solidityStack }
        return { ...run, reason: this.textOf(outcome), ...stack }
      })
  }

  async #resolveCustomError({ status, returnData }: Outcome): Promise<void> {
    if (status !== 'reverted') return
    const data = toHex(returnData)
    if (isCustomError(data)) await this.#services.customErrors.resolve(data)
  }

  /** A failure that cannot be explained is reported without an explanation: its request has its own error. */
  async #attempt<Explained>(explain: () => Promise<Explained>): Promise<Explained | undefined> {
    try {
      return await explain()
    } catch (error) {
      const isExpected =
        error instanceof NotLoadedError || (error instanceof NodeError && error.kind !== 'internal')
      if (!isExpected) this.#onFault?.(error)
      return undefined
    }
  }
}

/**
 * Logs the calls of a simulation by their positions. Their failures are explained together, because each call depends on the calls
 * before it: `simulate` runs the simulation again.
 */
export function logCalls(
  { logSimulation }: { readonly logSimulation: (run: SimulatedExecution) => void },
  { failureExplainer }: { readonly failureExplainer: FailureExplainer },
  calls: ReadonlyMap<number, Pick<SimulatedExecution, 'outcome' | 'to'>>,
  simulate: ObservedCalls,
): void {
  const outcomes = new Map([...calls].map(([position, { outcome }]) => [position, outcome]))
  let failures: ReturnType<FailureExplainer['calls']> | undefined
  for (const [position, { outcome, to }] of calls) {
    const explain = async () => {
      failures ??= failureExplainer.calls(outcomes, simulate)
      return (await failures).get(position)
    }
    logSimulation({ kind: 'call', to, outcome, explain })
  }
}
