/** What the log tells of the executions of one request. Made into words once the request is done. */

import { NodeError } from '../base/errors.ts'
import { toHex } from '../base/hex.ts'
import type { Address } from '../base/hex.ts'
import type { Receipt } from '../chain/block.ts'
import type { BlockLogEntry, ConsoleOutput, FailedRun, SentTransaction } from '../config/request-log.ts'
import type { Outcome } from '../evm/outcome.ts'
import type { Node } from '../node.ts'
import { failureText } from './outcome-error.ts'
import { isCustomError, shortReason } from './revert-text.ts'

/** An execution that leaves nothing behind. */
export interface SimulatedRun {
  readonly kind: 'call' | 'estimate'
  /** Absent for a creation. */
  readonly to: Address | undefined
  readonly outcome: Outcome
}

/** What a log entry says of executions. */
export interface RunReport {
  readonly transaction?: SentTransaction
  readonly console?: readonly ConsoleOutput[]
}

/** Collects the executions of a request. */
export class RunNotes {
  readonly #node: Node
  readonly #console: (() => ConsoleOutput)[] = []
  readonly #failed: SimulatedRun[] = []
  #sent: { readonly receipt: Receipt; readonly blockNumber: bigint } | undefined

  constructor(node: Node) {
    this.#node = node
  }

  /** Notes the transaction that was sent, and is mined. */
  readonly noteTransaction = (receipt: Receipt, blockNumber: bigint): void => {
    this.#sent = { receipt, blockNumber }
  }

  readonly noteRun = (run: SimulatedRun): void => {
    const { kind, to, outcome } = run
    const { status, consoleCalls } = outcome
    if (status !== 'success') this.#failed.push(run)
    if (consoleCalls === undefined) return
    const lines = () => this.#node.consoleReader.texts(consoleCalls)
    this.#console.push(() => ({ kind, to: to ?? null, lines: lines() }))
  }

  /** Runs a task that is alone with the chain, and notes what is said in the blocks it makes. */
  during<T>(task: () => T | Promise<T>): T | Promise<T> {
    return this.#node.consoleDesk.during(({ receipts }) => {
      for (const receipt of receipts) this.#console.push(() => consoleOutputOf(receipt, this.#node))
    }, task)
  }

  /** Looks for the names of custom errors: for the log, and for the dialect that says them. */
  learn(error?: unknown): Promise<void> | undefined {
    if (error === undefined && this.#sent === undefined && this.#failed.length === 0) return undefined
    const outcomes = this.#failed.map(({ outcome }) => outcome)
    if (this.#sent !== undefined) outcomes.push(this.#sent.receipt.outcome)
    return this.#learnAll([revertDataOf(error), ...outcomes.map(revertDataIn)])
  }

  async #learnAll(reverts: readonly (string | undefined)[]): Promise<void> {
    for (const data of reverts) {
      if (data !== undefined && isCustomError(data)) await this.#node.customErrors.learn(data)
    }
  }

  /** Why the execution reverted, where that is the error. */
  reasonOf(error: unknown): { readonly reason?: string } {
    const data = revertDataOf(error)
    return data === undefined ? {} : { reason: shortReason(data, this.#node.customErrors.textOf) }
  }

  /** What failed though the request did not. */
  failures(): { readonly failed?: readonly FailedRun[] } {
    if (this.#failed.length === 0) return {}
    const { textOf } = this.#node.customErrors
    return {
      failed: this.#failed.map(({ kind, to, outcome }) => ({
        ...{ kind, to: to ?? null },
        reason: failureText(outcome, textOf),
      })),
    }
  }

  report(): RunReport {
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

/** Tells of the blocks that no request asked for, of the chain and of its worlds. */
export function tellBlocks(node: Node, tell: (entry: BlockLogEntry) => void): void {
  node.consoleDesk.unasked.on(({ number, world, receipts }) => {
    if (!node.logging.value) return
    const console = receipts.map((receipt) => consoleOutputOf(receipt, node))
    tell({ blockNumber: number, ...(world === undefined ? {} : { world }), console })
  })
}

function revertDataIn({ status, returnData }: Outcome): string | undefined {
  return status === 'reverted' ? toHex(returnData) : undefined
}

function revertDataOf(error: unknown): string | undefined {
  return error instanceof NodeError && error.kind === 'reverted' ? (error.data ?? '0x') : undefined
}
