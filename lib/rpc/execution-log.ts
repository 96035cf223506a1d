/** What the log tells of the executions of one request. Made into words once the request is done. */

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

/** An execution that leaves nothing behind. */
export interface SimulatedExecution {
  readonly kind: 'call' | 'estimate'
  /** Absent for a creation. */
  readonly to: Address | undefined
  readonly outcome: Outcome
}

/** What a log entry says of executions. */
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

  /** Notes the transaction that was sent, and is mined. */
  readonly noteTransaction = (receipt: Receipt, blockNumber: bigint): void => {
    this.#sent = { receipt, blockNumber }
  }

  readonly noteRun = (run: SimulatedExecution): void => {
    const { kind, to, outcome } = run
    const { status, consoleCalls } = outcome
    if (status !== 'success') this.#failed.push(run)
    if (consoleCalls === undefined) return
    const lines = () => this.#node.consoleReader.texts(consoleCalls)
    this.#console.push(() => ({ kind, to: to ?? null, lines: lines() }))
  }

  /** Runs a task that is alone with the chain, and notes what is said and what fails in the blocks it makes. */
  during<T>(task: () => T | Promise<T>): T | Promise<T> {
    return this.#node.consoleLog.during(({ receipts }) => {
      this.#mined.push(...receipts)
      for (const receipt of receipts.filter(hasSpoken)) {
        this.#console.push(() => consoleOutputOf(receipt, this.#node))
      }
    }, task)
  }

  /** Looks for the names of custom errors: for the log, and for the dialect that says them. */
  learn(error?: unknown): Promise<void> | undefined {
    if (error === undefined && this.#sent === undefined && this.#failed.length + this.#mined.length === 0) {
      return undefined
    }
    const outcomes = [...this.#failed, ...this.#mined].map(({ outcome }) => outcome)
    if (this.#sent !== undefined) outcomes.push(this.#sent.receipt.outcome)
    return learnAll([revertDataOf(error), ...outcomes.map(revertDataIn)], this.#node)
  }

  /** The reason of a revert, where the message of the dialect does not contain it: Hardhat's messages always do. */
  reasonOf(error: unknown, dialect: Dialect): { readonly reason?: string } {
    const data = dialect === 'hardhat' ? undefined : revertDataOf(error)
    return data === undefined ? {} : { reason: shortReason(data, this.#node.customErrors.textOf) }
  }

  /** What failed though the request did not. */
  failures(): { readonly failed?: readonly FailedRun[] } {
    const { textOf } = this.#node.customErrors
    const simulated = this.#failed.map(({ kind, to, outcome }) => ({
      kind,
      to: to ?? null,
      reason: failureText(outcome, textOf),
    }))
    // What became of the transaction that was sent is told by itself.
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

/** What a mined transaction said. */
function consoleOutputOf({ transaction, outcome }: Receipt, node: Node): ConsoleOutput {
  const { consoleCalls } = outcome
  return {
    kind: 'transaction',
    hash: transaction.hash,
    to: transaction.to ?? null,
    lines: consoleCalls === undefined ? [] : node.consoleReader.texts(consoleCalls),
  }
}

const hasSpoken = ({ outcome }: Receipt): boolean => outcome.consoleCalls !== undefined

/** Why mined transactions failed, those of them that did. */
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

/** Looks for the names of the custom errors among revert data. */
async function learnAll(reverts: readonly (string | undefined)[], { customErrors }: Node): Promise<void> {
  for (const data of reverts) {
    if (data !== undefined && isCustomError(data)) await customErrors.learn(data)
  }
}

/**
 * Tells of the blocks that no request asked for, of the chain and of its worlds, one after the other.
 * A listener that fails stops no block.
 */
export function tellBlocks(node: Node, { onBlock, onFault }: NodeHooks): void {
  if (onBlock === undefined) return
  let told = Promise.resolve()
  node.consoleLog.unasked.on(({ number, world, receipts }) => {
    const tell = async (): Promise<void> => {
      await learnAll(
        receipts.map(({ outcome }) => revertDataIn(outcome)),
        node,
      )
      onBlock({
        blockNumber: number,
        ...(world === undefined ? {} : { world }),
        console: receipts.filter(hasSpoken).map((receipt) => consoleOutputOf(receipt, node)),
        ...ifAny(failuresOf(receipts, node)),
      })
    }
    told = told.then(tell).catch((error: unknown) => onFault?.(error))
  })
}

function revertDataIn({ status, returnData }: Outcome): string | undefined {
  return status === 'reverted' ? toHex(returnData) : undefined
}

function revertDataOf(error: unknown): string | undefined {
  return error instanceof NodeError && error.kind === 'reverted' ? (error.data ?? '0x') : undefined
}
