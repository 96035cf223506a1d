/** The failed executions of a request or of a block, explained as far as contracts are known. */

import { NodeError } from '../base/errors.ts'
import { toHex } from '../base/hex.ts'
import type { Address } from '../base/hex.ts'
import { NotLoadedError } from '../base/not-loaded.ts'
import type { Receipt } from '../chain/block.ts'
import type { ChainEntry } from '../chain/chain-entry.ts'
import type { FailedRun, NodeHooks } from '../config/request-log.ts'
import type { Outcome } from '../evm/outcome.ts'
import type { ExplainedFailure } from '../explain/solidity-stack.ts'
import type { Node } from '../node.ts'
import { knownStack } from './explained-failure.ts'
import { failureText } from './outcome-error.ts'
import { isCustomError } from '../abi/revert-reason.ts'

/** An execution whose state changes are discarded. */
export interface SimulatedExecution {
  readonly kind: 'call' | 'estimate'
  /** Absent for a contract creation. */
  readonly to: Address | undefined
  readonly outcome: Outcome
  /** Explains how the execution failed; undefined if no contract is known. */
  readonly explain: () => Promise<ExplainedFailure | undefined>
}

/** How an execution failed; undefined if it is not explained. */
export type FailureOf = (outcome: Outcome) => ExplainedFailure | undefined

/** Transactions of a block that have console output or failed. */
interface MinedTransactions {
  readonly entry: ChainEntry
  readonly receipts: readonly Receipt[]
}

/** Services that explain failures. */
type FailureServices = Pick<Node, 'customErrors' | 'failureExplainer'>

/** Collects failed executions, and explains them when they are all known. */
export class FailedExecutions {
  readonly #services: FailureServices
  readonly #onFault: NodeHooks['onFault']
  readonly #simulated: SimulatedExecution[] = []
  readonly #mined: MinedTransactions[] = []
  /** Undefined for those that cannot be explained. */
  readonly #explained = new Map<Outcome, ExplainedFailure | undefined>()

  constructor(services: FailureServices, onFault?: NodeHooks['onFault']) {
    this.#services = services
    this.#onFault = onFault
  }

  addSimulated(run: SimulatedExecution): void {
    if (run.outcome.status !== 'success') this.#simulated.push(run)
  }

  addMined({ entry, receipts }: MinedTransactions): void {
    const failed = receipts.filter(({ outcome }) => outcome.status !== 'success')
    if (failed.length > 0) this.#mined.push({ entry, receipts: failed })
  }

  get isEmpty(): boolean {
    return this.#simulated.length + this.#mined.length === 0
  }

  /** The outcome of the last simulated execution, if it failed: the one that an error is about. */
  get lastSimulated(): Outcome | undefined {
    return this.#simulated.at(-1)?.outcome
  }

  /** Looks up the names of custom errors, and explains the failures. Never rejects. */
  async explain(): Promise<void> {
    for (const { outcome } of [...this.#simulated, ...this.#mined.flatMap(({ receipts }) => receipts)])
      await this.#resolveCustomError(outcome)
    for (const run of this.#simulated) await this.#attempt(() => this.#explainSimulated(run))
    for (const block of this.#mined) await this.#attempt(() => this.#explainMined(block))
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
    const mined = this.#mined
      .flatMap(({ receipts }) => receipts)
      .filter(({ outcome }) => outcome !== except)
      .map(({ transaction: { hash, to }, outcome }) =>
        this.#logged({ kind: 'transaction', hash }, to, outcome),
      )
    return [...this.#simulated.map(({ kind, to, outcome }) => this.#logged({ kind }, to, outcome)), ...mined]
  }

  #logged(run: Pick<FailedRun, 'kind' | 'hash'>, to: Address | undefined, outcome: Outcome): FailedRun {
    const solidityStack = knownStack(this.of(outcome))
    const stack = solidityStack === undefined ? {} : { solidityStack }
    return { ...run, to: to ?? null, reason: this.textOf(outcome), ...stack }
  }

  async #resolveCustomError({ status, returnData }: Outcome): Promise<void> {
    if (status !== 'reverted') return
    const data = toHex(returnData)
    if (isCustomError(data)) await this.#services.customErrors.resolve(data)
  }

  async #explainSimulated({ outcome, explain }: SimulatedExecution): Promise<void> {
    if (this.#explained.has(outcome)) return
    this.#explained.set(outcome, undefined)
    this.#explained.set(outcome, await explain())
  }

  async #explainMined({ entry, receipts }: MinedTransactions): Promise<void> {
    if (receipts.every(({ outcome }) => this.#explained.has(outcome))) return
    for (const { outcome } of receipts) this.#explained.set(outcome, undefined)
    const failures = await this.#services.failureExplainer.transactions(entry, receipts)
    for (const { index, outcome } of receipts) this.#explained.set(outcome, failures.get(index))
  }

  /** A failure that cannot be explained is reported without an explanation: its request has its own error. */
  async #attempt(explain: () => Promise<void>): Promise<void> {
    try {
      await explain()
    } catch (error) {
      const isExpected =
        error instanceof NotLoadedError || (error instanceof NodeError && error.kind !== 'internal')
      if (!isExpected) this.#onFault?.(error)
    }
  }
}
