/** What the log tells of the executions of one request. Made into words once the request is done. */

import { NodeError } from '../base/errors.ts'
import { toHex } from '../base/hex.ts'
import type { Address } from '../base/hex.ts'
import type { Receipt } from '../chain/block.ts'
import type { ConsoleOutput, SentTransaction } from '../config/request-log.ts'
import type { Outcome } from '../evm/outcome.ts'
import type { Node } from '../node.ts'
import { revertReason, shortReason } from './revert-text.ts'

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
  #sent: { readonly receipt: Receipt; readonly blockNumber: bigint } | undefined

  constructor(node: Node) {
    this.#node = node
  }

  /** Notes the transaction that was sent, and is mined. */
  readonly noteTransaction = (receipt: Receipt, blockNumber: bigint): void => {
    this.#sent = { receipt, blockNumber }
  }

  readonly noteRun = ({ kind, to, outcome: { consoleCalls } }: SimulatedRun): void => {
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

  /** Looks for the name of a custom error: for the log, and for the dialect that says it. */
  learn(error?: unknown): Promise<void> | undefined {
    const data = revertDataOf(error) ?? this.#revertData
    if (data === undefined || revertReason(data).kind !== 'custom') return undefined
    return this.#node.customErrors.learn(data)
  }

  /** Why the execution reverted, where that is the error. */
  reasonOf(error: unknown): { readonly reason?: string } {
    const data = revertDataOf(error)
    return data === undefined ? {} : { reason: shortReason(data, this.#node.customErrors.textOf) }
  }

  report(): RunReport {
    return {
      ...(this.#sent === undefined ? {} : { transaction: this.#transaction(this.#sent) }),
      ...(this.#console.length === 0 ? {} : { console: this.#console.map((output) => output()) }),
    }
  }

  get #revertData(): string | undefined {
    const outcome = this.#sent?.receipt.outcome
    return outcome?.status === 'reverted' ? toHex(outcome.returnData) : undefined
  }

  #transaction({
    receipt: { transaction, outcome },
    blockNumber,
  }: {
    readonly receipt: Receipt
    readonly blockNumber: bigint
  }): SentTransaction {
    const isSuccess = outcome.status === 'success'
    const { customErrors } = this.#node
    const reason = outcome.exception ?? shortReason(toHex(outcome.returnData), customErrors.textOf)
    return {
      hash: transaction.hash,
      from: transaction.sender,
      to: transaction.to ?? null,
      contractAddress: outcome.contractAddress ?? null,
      gasUsed: outcome.gasUsed,
      gasLimit: transaction.gasLimit,
      blockNumber,
      status: isSuccess ? 'success' : 'reverted',
      ...(isSuccess ? {} : { reason }),
    }
  }
}

/** What a mined transaction said. */
export function consoleOutputOf({ transaction, outcome }: Receipt, node: Node): ConsoleOutput {
  const { consoleCalls } = outcome
  return {
    kind: 'transaction',
    hash: transaction.hash,
    to: transaction.to ?? null,
    lines: consoleCalls === undefined ? [] : node.consoleReader.texts(consoleCalls),
  }
}

function revertDataOf(error: unknown): string | undefined {
  return error instanceof NodeError && error.kind === 'reverted' ? (error.data ?? '0x') : undefined
}
