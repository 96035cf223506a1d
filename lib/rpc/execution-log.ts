/** Collects the executions of one request for its log entry. Texts are made when the request is done. */

import { NodeError } from '../base/errors.ts'
import { toHex } from '../base/hex.ts'
import type { Address } from '../base/hex.ts'
import type { Receipt } from '../chain/block.ts'
import type { ConsoleOutput, FailedRun, NodeHooks, SentTransaction } from '../config/request-log.ts'
import type { Dialect } from '../config/dialect.ts'
import type { Outcome } from '../evm/outcome.ts'
import type { Node } from '../node.ts'
import { failureText } from './outcome-error.ts'
import { isCustomError, shortReason } from '../abi/revert-reason.ts'

/** An execution whose state changes are discarded. */
export interface SimulatedExecution {
  readonly kind: 'call' | 'estimate'
  /** Absent for a contract creation. */
  readonly to: Address | undefined
  readonly outcome: Outcome
}

/** The executions in a log entry. */
export interface ExecutionReport {
  readonly transaction?: SentTransaction
  readonly console?: readonly ConsoleOutput[]
}

/** Collects the executions of a request. */
export class ExecutionLog {
  readonly #node: Node
  readonly #console: (() => ConsoleOutput)[] = []
  readonly #failed: SimulatedExecution[] = []
  readonly #mined: Receipt[] = []
  #sent: { readonly receipt: Receipt; readonly blockNumber: bigint } | undefined

  constructor(node: Node) {
    this.#node = node
  }

  /** Records the transaction that the request sent, after it was mined. */
  readonly logTransaction = (receipt: Receipt, blockNumber: bigint): void => {
    this.#sent = { receipt, blockNumber }
  }

  readonly logSimulation = (run: SimulatedExecution): void => {
    const { kind, to, outcome } = run
    const { status, consoleCalls } = outcome
    if (status !== 'success') this.#failed.push(run)
    if (consoleCalls === undefined) return
    const lines = () => this.#node.consoleReader.texts(consoleCalls)
    this.#console.push(() => ({ kind, to: to ?? null, lines: lines() }))
  }

  /** Runs a task that holds the lock, and records console output and failed transactions of the blocks that it mines. */
  during<T>(task: () => T | Promise<T>): T | Promise<T> {
    return this.#node.consoleLog.during(({ receipts }) => {
      this.#mined.push(...receipts)
      for (const receipt of receipts.filter(hasConsoleOutput)) {
        this.#console.push(() => consoleOutputOf(receipt, this.#node))
      }
    }, task)
  }

  /** Looks up the names of custom errors, for the log and for the dialect that shows them; absent if nothing failed. */
  resolveCustomErrors(error?: unknown): Promise<void> | undefined {
    const hasFailed = this.#failed.length + this.#mined.length > 0
    if (error === undefined && !hasFailed && this.#sent?.receipt.outcome.status !== 'reverted')
      return undefined
    const outcomes = [...this.#failed, ...this.#mined].map(({ outcome }) => outcome)
    if (this.#sent !== undefined) outcomes.push(this.#sent.receipt.outcome)
    return resolveCustomErrors([revertDataOf(error), ...outcomes.map(revertDataIn)], this.#node)
  }

  /** The reason of a revert, if the message of the dialect does not contain it. Hardhat's messages always do. */
  reasonOf(error: unknown, dialect: Dialect): { readonly reason?: string } {
    const data = dialect === 'hardhat' ? undefined : revertDataOf(error)
    return data === undefined ? {} : { reason: shortReason(data, this.#node.customErrors.textOf) }
  }

  /** Failed executions of a request that itself succeeded. */
  failures(): { readonly failed?: readonly FailedRun[] } {
    const { textOf } = this.#node.customErrors
    const simulated = this.#failed.map(({ kind, to, outcome }) => ({
      kind,
      to: to ?? null,
      reason: failureText(outcome, textOf),
    }))
    // The log entry reports the sent transaction separately.
    const others = this.#mined.filter((receipt) => receipt !== this.#sent?.receipt)
    return ifAny([...simulated, ...failuresOf(others, this.#node)])
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
    return {
      hash: transaction.hash,
      from: transaction.sender,
      to: transaction.to ?? null,
      contractAddress: outcome.contractAddress ?? null,
      gasUsed: outcome.gasUsed,
      gasLimit: transaction.gasLimit,
      blockNumber,
      status: isSuccess ? 'success' : 'reverted',
      ...(isSuccess ? {} : { reason: failureText(outcome, this.#node.customErrors.textOf) }),
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

/** The mined transactions that failed, and why. */
function failuresOf(receipts: readonly Receipt[], { customErrors }: Node): readonly FailedRun[] {
  return receipts
    .filter(({ outcome }) => outcome.status !== 'success')
    .map(({ transaction, outcome }) => ({
      kind: 'transaction',
      hash: transaction.hash,
      to: transaction.to ?? null,
      reason: failureText(outcome, customErrors.textOf),
    }))
}

const ifAny = (failed: readonly FailedRun[]): { readonly failed?: readonly FailedRun[] } =>
  failed.length === 0 ? {} : { failed }

/** Looks up the names of the custom errors in revert data. */
async function resolveCustomErrors(
  reverts: readonly (string | undefined)[],
  { customErrors }: Node,
): Promise<void> {
  for (const data of reverts) {
    if (data !== undefined && isCustomError(data)) await customErrors.resolve(data)
  }
}

/**
 * Reports the blocks that no request mined, of the default chain and of the worlds, one after the other.
 * A listener that fails stops no block.
 */
export function reportBlocks(node: Node, { onBlock, onFault }: NodeHooks): void {
  if (onBlock === undefined) return
  let reported = Promise.resolve()
  node.consoleLog.unrequested.on(({ number, world, receipts }) => {
    const report = async (): Promise<void> => {
      await resolveCustomErrors(
        receipts.map(({ outcome }) => revertDataIn(outcome)),
        node,
      )
      onBlock({
        blockNumber: number,
        ...(world === undefined ? {} : { world }),
        console: receipts.filter(hasConsoleOutput).map((receipt) => consoleOutputOf(receipt, node)),
        ...ifAny(failuresOf(receipts, node)),
      })
    }
    reported = reported.then(report).catch((error: unknown) => onFault?.(error))
  })
}

function revertDataIn({ status, returnData }: Outcome): string | undefined {
  return status === 'reverted' ? toHex(returnData) : undefined
}

function revertDataOf(error: unknown): string | undefined {
  return error instanceof NodeError && error.kind === 'reverted' ? (error.data ?? '0x') : undefined
}
