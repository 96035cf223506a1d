/** Collects the executions of one request for its response and its log entry. Texts are made when the request is done. */

import { NodeError, type ErrorKind } from '../base/errors.ts'
import type { Receipt } from '../chain/block.ts'
import type { ChainEntry } from '../chain/chain-entry.ts'
import { withConsole } from '../config/request-log.ts'
import type { ConsoleOutput, FailedRun, NodeHooks, RequestLogEntry } from '../config/request-log.ts'
import type { SentTransaction } from '../config/request-log.ts'
import type { Dialect } from '../config/dialect.ts'
import type { Outcome } from '../evm/outcome.ts'
import type { KeptFailure } from '../insight/explain/failures.ts'
import type { ExplainedFailure } from '../insight/explain/solidity-stack.ts'
import type { Node } from '../node/node.ts'
import { knownStack } from './error-codes.ts'
import { FailedExecutions, minedExecution, inferredText, type ExplainedPart } from './failed-executions.ts'
import type {
  LoggedExecution,
  FailureOf,
  SimulatedExecution,
  RequestExecution,
} from '../kernel/request-context.ts'
import { consoleTexts } from '../abi/console-text.ts'
import { shortReason } from '../abi/revert-reason.ts'

const FAILURES: ReadonlySet<ErrorKind> = new Set(['reverted', 'executionFailed', 'estimationFailed'])

/** This many characters of a hash, including 0x, distinguish the transactions of a run. */
const SHORT_HASH = 10

export class ExecutionLog {
  readonly #node: Node
  readonly #executions: LoggedExecution[] = []
  readonly #failed: FailedExecutions
  readonly #onFault: NodeHooks['onFault']
  /** The executions, for the holder of responses. */
  #held: RequestExecution[] = []
  #action: string | undefined
  #sent: { readonly receipt: Receipt; readonly blockNumber: bigint } | undefined

  constructor(node: Node, onFault?: NodeHooks['onFault']) {
    this.#node = node
    this.#failed = new FailedExecutions(node, onFault)
    this.#onFault = onFault
  }

  /** Records the transaction that the request sent, after it was mined. */
  readonly logTransaction = (receipt: Receipt, blockNumber: bigint): void => {
    this.#sent = { receipt, blockNumber }
  }

  readonly logSimulation = (run: SimulatedExecution): void => {
    this.#executions.push(run)
    this.#failed.addSimulated(run)
    const { prepare } = run
    if (prepare !== undefined && this.#isHeld) this.#held.push({ ...run, prepare })
  }

  /** Runs a task that holds the lock, and records console output and failed transactions of blocks that it mines. */
  during<T>(task: () => T | Promise<T>): T | Promise<T> {
    const { consoleLog } = this.#node
    const observed = this.#isHeld ? () => this.#keepingBlocks(task) : task
    return consoleLog.during((block) => {
      this.#executions.push(...block.receipts.map(minedExecution))
      this.#failed.addMined(block)
    }, observed)
  }

  get #isHeld(): boolean {
    return this.#node.responseHolder?.isActive === true
  }

  async #keepingBlocks<T>(task: () => T | Promise<T>): Promise<T> {
    const keep = (entry: ChainEntry): void => {
      for (const receipt of entry.ownReceipts) this.#held.push({ kind: 'transaction', entry, receipt })
    }
    const end = this.#node.chain.headChanged.on(({ added }) => added.forEach(keep))
    try {
      return await task()
    } finally {
      end()
    }
  }

  /** The executions since the last call, for the holder of responses. */
  takeHeld(): readonly RequestExecution[] {
    const taken = this.#held
    this.#held = []
    return taken
  }

  /** Explains failures for the response and the log. Absent if nothing failed. */
  explainFailures(): Promise<void> | undefined {
    return this.#failed.isEmpty ? undefined : this.#failed.explain()
  }

  get hasSent(): boolean {
    return this.#sent !== undefined
  }

  /** Describes the sent transaction with names, for the log. Never rejects. */
  async describeSent(): Promise<void> {
    try {
      if (this.#sent === undefined) return
      const { transaction, outcome } = this.#sent.receipt
      const { from, call } = await (await this.#node.loadAddressNames()).describe(transaction, outcome)
      this.#action = `${call} from ${from}`
    } catch (error) {
      this.#onFault?.(error)
    }
  }

  /** Like `explainFailures`; returns how each execution failed. */
  readonly explainedFailures = async (): Promise<FailureOf> => {
    await this.#failed.explain()
    return (outcome) => this.#failed.of(outcome)
  }

  /** Like `explainFailures`, without pauses, for the execution that the request's error is about. */
  readonly explainNow = (error: NodeError, part: ExplainedPart): void =>
    this.#failed.explainNow(this.#outcomeOf(error), part)

  /** How the execution failed that the request's error is about; undefined without an explanation. */
  failureOf(error: unknown): ExplainedFailure | undefined {
    const outcome = this.#outcomeOf(error)
    return outcome && this.#failed.of(outcome)
  }

  /** The command that explains the execution that the request's error is about; undefined if it is not kept. */
  commandFor(error: unknown): string | undefined {
    const kept = this.keptFailure(error)
    return (
      kept && `npx dev-node explain ${kept.mined?.receipt.transaction.hash.slice(0, SHORT_HASH) ?? kept.id}`
    )
  }

  /** The kept execution that the request's error is about. */
  keptFailure(error: unknown): KeptFailure | undefined {
    const outcome = this.#outcomeOf(error)
    return outcome && this.#node.failures.findNewest((failure) => failure.outcome === outcome)
  }

  #outcomeOf(error: unknown): Outcome | undefined {
    if (!(error instanceof NodeError) || !FAILURES.has(error.kind)) return undefined
    return error.details.txHash === undefined ? this.#failed.lastSimulated : this.#sent?.receipt.outcome
  }

  /** The reason of a failure, if the dialect's message lacks it. Hardhat's messages always contain it. */
  reasonOf(error: NodeError, dialect: Dialect): string | undefined {
    if (dialect === 'hardhat') return undefined
    const inferred = inferredText(this.failureOf(error))
    if (inferred !== undefined || error.kind !== 'reverted') return inferred
    return shortReason(error.details.data ?? '0x', this.#node.customErrors.textOf)
  }

  /** Failed executions of a request that itself succeeded. The log entry reports the sent transaction separately. */
  failures(): readonly FailedRun[] {
    return this.#failed.logged(this.#sent?.receipt.outcome)
  }

  get hasConsoleOutput(): boolean {
    return this.#executions.some(({ outcome }) => outcome.consoleCalls !== undefined)
  }

  /** The executions' members of the log entry. */
  report(): Pick<RequestLogEntry, 'transaction' | 'console'> {
    const output = consoleOutputOf(this.#executions)
    return {
      ...(this.#sent && { transaction: this.#transaction(this.#sent.receipt, this.#sent.blockNumber) }),
      ...(output.length > 0 && { console: output }),
    }
  }

  #transaction({ transaction, outcome }: Receipt, blockNumber: bigint): SentTransaction {
    const isSuccess = outcome.status === 'success'
    const solidityStack = knownStack(this.#failed.of(outcome))
    return {
      hash: transaction.hash,
      ...(this.#action !== undefined && { action: this.#action }),
      from: transaction.sender,
      to: transaction.to ?? null,
      contractAddress: outcome.contractAddress ?? null,
      gasUsed: outcome.gasUsed,
      gasLimit: transaction.gasLimit,
      blockNumber,
      status: isSuccess ? 'success' : 'reverted',
      ...(isSuccess ? {} : { reason: this.#failed.textOf(outcome) }),
      ...(solidityStack && { solidityStack }),
    }
  }
}

const consoleOutputOf = (executions: readonly LoggedExecution[]): readonly ConsoleOutput[] =>
  executions.flatMap(({ kind, hash, to = null, outcome: { consoleCalls } }) =>
    consoleCalls === undefined ? [] : [{ kind, hash, to, lines: consoleTexts(consoleCalls) }],
  )

export type RequestHooks = Pick<NodeHooks, 'onRequest' | 'readsConsoleOnly' | 'onFault' | 'endsWithRun'>

export function connectHooks(node: Node, hooks: NodeHooks): RequestHooks {
  const { onRequest, readsConsoleOnly, onBlock, onFault } = withConsole(hooks)
  node.miner.failed.on((error) => onFault?.(error))
  if (hooks.onNotice !== undefined) node.timers.noticed.on(hooks.onNotice)
  reportBlocks(node, { onBlock, onFault })
  return { onRequest, readsConsoleOnly, onFault, endsWithRun: hooks.endsWithRun === true }
}

/** Reports blocks that no request mined, on the default chain and worlds. A failing listener stops no block. */
export function reportBlocks(node: Node, { onBlock, onFault }: NodeHooks): void {
  if (onBlock === undefined) return
  let reported = Promise.resolve()
  node.consoleLog.unrequested.on((block) => {
    const report = async (): Promise<void> => {
      const failed = new FailedExecutions(node, onFault)
      failed.addMined(block)
      await failed.explain()
      const [{ entry, world, receipts }, runs] = [block, failed.logged()]
      onBlock({
        blockNumber: BigInt(entry.number),
        ...(world !== undefined && { world }),
        console: consoleOutputOf(receipts.map(minedExecution)),
        ...(runs.length > 0 && { failed: runs }),
      })
    }
    reported = reported.then(report).catch((error: unknown) => onFault?.(error))
  })
}
