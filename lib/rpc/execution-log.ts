/** Collects the executions of one request for its response and its log entry. Texts are made when the request is done. */

import { NodeError } from '../base/errors.ts'
import type { ErrorKind } from '../base/errors.ts'
import type { Receipt } from '../chain/block.ts'
import type { ConsoleOutput, FailedRun, NodeHooks, SentTransaction } from '../config/request-log.ts'
import type { Dialect } from '../config/dialect.ts'
import type { ExplainedFailure } from '../insight/explain/solidity-stack.ts'
import type { LoggedBlock } from '../chain/filters/console-log.ts'
import type { Node } from '../node/node.ts'
import { knownStack } from './error-codes.ts'
import { FailedExecutions } from './failed-executions.ts'
import type { FailureOf, SimulatedExecution } from './failed-executions.ts'
import { inferredText } from './outcome-error.ts'
import { shortReason } from '../abi/revert-reason.ts'

/** The executions in a log entry. */
export interface ExecutionReport {
  readonly transaction?: SentTransaction
  readonly console?: readonly ConsoleOutput[]
}

/** Kinds of errors that a failed execution gives. */
const FAILURES: ReadonlySet<ErrorKind> = new Set(['reverted', 'executionFailed', 'estimationFailed'])

/** Collects the executions of a request. */
export class ExecutionLog {
  readonly #node: Node
  readonly #console: (() => ConsoleOutput)[] = []
  readonly #failed: FailedExecutions
  #sent: { readonly receipt: Receipt; readonly blockNumber: bigint } | undefined

  constructor(node: Node, onFault?: NodeHooks['onFault']) {
    this.#node = node
    this.#failed = new FailedExecutions(node, onFault)
  }

  /** Records the transaction that the request sent, after it was mined. */
  readonly logTransaction = (receipt: Receipt, blockNumber: bigint): void => {
    this.#sent = { receipt, blockNumber }
  }

  readonly logSimulation = (run: SimulatedExecution): void => {
    const { kind, to, outcome } = run
    const { consoleCalls } = outcome
    this.#failed.addSimulated(run)
    if (consoleCalls === undefined) return
    const lines = () => this.#node.consoleReader.texts(consoleCalls)
    this.#console.push(() => ({ kind, to: to ?? null, lines: lines() }))
  }

  /** Runs a task that holds the lock, and records console output and failed transactions of the blocks that it mines. */
  during<T>(task: () => T | Promise<T>): T | Promise<T> {
    return this.#node.consoleLog.during((block) => {
      this.#failed.addMined(block)
      for (const receipt of block.receipts.filter(hasConsoleOutput)) {
        this.#console.push(() => consoleOutputOf(receipt, this.#node))
      }
    }, task)
  }

  /** Explains what failed, for the response and the log. Absent if nothing did. */
  explainFailures(): Promise<void> | undefined {
    return this.#failed.isEmpty ? undefined : this.#failed.explain()
  }

  /** As `explainFailures`; returns how each execution failed. */
  readonly explainedFailures = async (): Promise<FailureOf> => {
    await this.#failed.explain()
    return (outcome) => this.#failed.of(outcome)
  }

  /** How the execution failed that an error of the request is about; undefined if it is not explained. */
  failureOf(error: unknown): ExplainedFailure | undefined {
    if (!(error instanceof NodeError) || !FAILURES.has(error.kind)) return undefined
    const outcome = error.txHash === undefined ? this.#failed.lastSimulated : this.#sent?.receipt.outcome
    return outcome && this.#failed.of(outcome)
  }

  /** The reason of a failure, if the message of the dialect does not contain it. Hardhat's messages always do. */
  reasonOf(error: unknown, dialect: Dialect): { readonly reason?: string } {
    if (dialect === 'hardhat' || !(error instanceof NodeError)) return {}
    const reason = inferredText(this.failureOf(error)) ?? revertReasonOf(error, this.#node)
    return reason === undefined ? {} : { reason }
  }

  /** Failed executions of a request that itself succeeded. The log entry reports the sent transaction separately. */
  failures(): { readonly failed?: readonly FailedRun[] } {
    return ifAny(this.#failed.logged(this.#sent?.receipt.outcome))
  }

  report(): ExecutionReport {
    return {
      ...(this.#sent === undefined ? {} : { transaction: this.#transaction(this.#sent) }),
      ...(this.#console.length === 0 ? {} : { console: this.#console.map((output) => output()) }),
    }
  }

  #transaction({
    receipt: { transaction, outcome },
    blockNumber,
  }: {
    readonly receipt: Receipt
    readonly blockNumber: bigint
  }): SentTransaction {
    const isSuccess = outcome.status === 'success'
    const solidityStack = knownStack(this.#failed.of(outcome))
    return {
      hash: transaction.hash,
      from: transaction.sender,
      to: transaction.to ?? null,
      contractAddress: outcome.contractAddress ?? null,
      gasUsed: outcome.gasUsed,
      gasLimit: transaction.gasLimit,
      blockNumber,
      status: isSuccess ? 'success' : 'reverted',
      ...(isSuccess ? {} : { reason: this.#failed.textOf(outcome) }),
      ...(solidityStack === undefined ? {} : { solidityStack }),
    }
  }
}

/** Console output of a mined transaction. */
function consoleOutputOf({ transaction, outcome }: Receipt, node: Node): ConsoleOutput {
  const { consoleCalls } = outcome
  return {
    kind: 'transaction',
    hash: transaction.hash,
    to: transaction.to ?? null,
    lines: consoleCalls === undefined ? [] : node.consoleReader.texts(consoleCalls),
  }
}

const hasConsoleOutput = ({ outcome }: Receipt): boolean => outcome.consoleCalls !== undefined

const ifAny = (failed: readonly FailedRun[]): { readonly failed?: readonly FailedRun[] } =>
  failed.length === 0 ? {} : { failed }

function revertReasonOf({ kind, data = '0x' }: NodeError, { customErrors }: Node): string | undefined {
  return kind === 'reverted' ? shortReason(data, customErrors.textOf) : undefined
}

/**
 * Reports the blocks that no request mined, of the default chain and of the worlds, one after the other.
 * A listener that fails stops no block.
 */
export function reportBlocks(node: Node, { onBlock, onFault }: NodeHooks): void {
  if (onBlock === undefined) return
  let reported = Promise.resolve()
  node.consoleLog.unrequested.on((block) => {
    const report = async (): Promise<void> => {
      const { entry, world, receipts }: LoggedBlock = block
      const failed = new FailedExecutions(node, onFault)
      failed.addMined(block)
      await failed.explain()
      onBlock({
        blockNumber: BigInt(entry.number),
        ...(world === undefined ? {} : { world }),
        console: receipts.filter(hasConsoleOutput).map((receipt) => consoleOutputOf(receipt, node)),
        ...ifAny(failed.logged()),
      })
    }
    reported = reported.then(report).catch((error: unknown) => onFault?.(error))
  })
}
