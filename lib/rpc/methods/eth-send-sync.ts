/** Sends transactions and returns their receipts (EIP-7966). Waiting for a block holds no lock. */

import type { Routine } from '../../base/routine.ts'
import type * as z from 'zod'
import { NodeError } from '../../base/errors.ts'
import type { TextStream } from '../../base/text-stream.ts'
import type { Transaction } from '../../evm/transaction.ts'
import type { MinedReceipt } from '../../chain/chain-index.ts'
import { solidityStack } from '../../schema/explanation-results.ts'
import { optional, data, index } from '../../schema/wire.ts'
import { receiptObject } from '../../schema/results.ts'
import { knownStack } from '../error-codes.ts'
import { FailedExecutions } from '../failed-executions.ts'
import type { FailureOf } from '../../kernel/request-context.ts'
import { param, writeMethod } from '../../kernel/method.ts'
import { jsonStream } from '../../kernel/raw-json.ts'
import { renderReceipt } from '../render/block.ts'
import { SEND_ERRORS, sendContext, signOrImpersonate } from './eth-send.ts'
import type { SendContext, SendingChain } from './eth-send.ts'
import { SENT, TRANSFER, transaction } from './params.ts'

/** Default and maximum time that a request waits, in milliseconds (geth, eth/ethconfig). */
const DEFAULT_TIMEOUT_MS = 20_000
const MAX_TIMEOUT_MS = 60_000

const timeout = param('timeout', optional(index), 'Milliseconds to wait: 20,000 if left out, at most 60,000.')

/** A receipt. For a failed transaction it has the Solidity stack, if the contracts are known. */
const explainedReceipt = receiptObject.extend({ solidityStack: solidityStack.optional() })

/** Submits a transaction and returns its receipt once it is mined, even if the transaction failed. */
function* sendAndWait(
  sent: Transaction,
  timeoutMs: number | undefined,
  { node, request, nextBlock: next }: SendContext,
): Routine<z.input<typeof explainedReceipt> | TextStream> {
  const mined = yield* node.submission.submit(sent, next)
  if (mined !== undefined) {
    request.logTransaction(mined.receipt, mined.entry.block.header.number)
    return isSuccess(mined) ? rendered(mined) : jsonStream(() => explained(mined, request.explainedFailures))
  }
  const waitMs = Math.min(timeoutMs ?? DEFAULT_TIMEOUT_MS, MAX_TIMEOUT_MS)
  return jsonStream(async () => {
    const later = await node.submission.waitForReceipt(sent.hash, waitMs)
    if (later === undefined) throw notMinedInTime(sent, waitMs)
    return isSuccess(later) ? rendered(later) : explained(later, () => failuresIn(later, node))
  })
}

const isSuccess = ({ receipt: { outcome } }: MinedReceipt): boolean => outcome.status === 'success'

const rendered = ({ entry, receipt }: MinedReceipt) => renderReceipt(entry.block, receipt)

async function explained(mined: MinedReceipt, failures: () => Promise<FailureOf>) {
  const failureOf = await failures()
  return { ...rendered(mined), solidityStack: knownStack(failureOf(mined.receipt.outcome)) }
}

/** The failure of a transaction that the request did not mine itself. */
async function failuresIn({ entry, receipt }: MinedReceipt, node: SendingChain): Promise<FailureOf> {
  const failed = new FailedExecutions(node)
  failed.addMined({ entry, receipts: [receipt] })
  await failed.explain()
  return (outcome) => failed.of(outcome)
}

/** The phrase is geth's; the data is the hash (EIP-7966). */
function notMinedInTime({ hash }: Transaction, waitMs: number): NodeError {
  return new NodeError(
    'receiptTimeout',
    `The transaction was added to the transaction pool but wasn't processed in ${waitMs} ms`,
    { data: hash },
  )
}

export const sendRawTransactionSync = writeMethod({
  name: 'eth_sendRawTransactionSync',
  summary:
    'Sends a signed transaction and returns its receipt as soon as it is mined, also if it failed (EIP-7966). If it is not mined in time it stays pooled, and its hash is the data of the error. Later requests of the same WebSocket, local socket or batch wait for the answer: mine from another connection.',
  params: [param('data', data, 'Signed transaction.'), timeout],
  result: explainedReceipt,
  errors: [...SEND_ERRORS, 'receiptTimeout'],
  example: { params: [SENT.raw] },
  run: ({ data: encoded, timeout: timeoutMs }, node: SendingChain, request) =>
    sendAndWait(node.codec.decode(encoded), timeoutMs, sendContext(node, request)),
})

export const sendTransactionSync = writeMethod({
  name: 'eth_sendTransactionSync',
  summary: 'As eth_sendRawTransactionSync, signed with a key of this node.',
  params: [transaction, timeout],
  result: explainedReceipt,
  errors: ['unknownAccount', 'lockedAccount', ...SEND_ERRORS, 'receiptTimeout'],
  example: { params: [TRANSFER] },
  *run({ transaction: request, timeout: timeoutMs }, node: SendingChain, requestContext) {
    const context = sendContext(node, requestContext)
    return yield* sendAndWait(yield* signOrImpersonate(request, context), timeoutMs, context)
  },
})
