/** Sends transactions and returns their receipts (EIP-7966). Waiting for a block holds no lock. */

import { begin } from '../../base/routine.ts'
import type { Routine } from '../../base/routine.ts'
import type * as z from 'zod'
import { NodeError } from '../../base/errors.ts'
import type { TextStream } from '../../base/text-stream.ts'
import type { Transaction } from '../../evm/transaction.ts'
import { optional } from '../../schema/optional.ts'
import { transactionRequest } from '../../schema/requests.ts'
import { receiptObject } from '../../schema/results.ts'
import { data, index } from '../../schema/wire.ts'
import { method, param } from '../method.ts'
import { jsonStream } from '../raw-json.ts'
import { renderReceipt } from '../render/transaction.ts'
import { SEND_ERRORS, sendContext, signOrImpersonate } from './eth-send.ts'
import type { SendContext } from './eth-send.ts'
import { SENT } from './examples.ts'

/** Default and maximum time that a request waits, in milliseconds (geth, eth/ethconfig). */
const DEFAULT_TIMEOUT_MS = 20_000
const MAX_TIMEOUT_MS = 60_000

const timeout = param(
  'timeout',
  optional(index),
  'How long to wait for a block, in milliseconds: 20 seconds if left out, at most 60.',
)

/** Submits a transaction and returns its receipt once it is mined, even if the transaction failed. */
function* sendAndWait(
  transaction: Transaction,
  timeoutMs: number | undefined,
  { node, request, nextBlock: next }: SendContext,
): Routine<z.input<typeof receiptObject> | TextStream> {
  const mined = yield* node.submission.submit(transaction, next)
  if (mined !== undefined) {
    const { block } = mined.entry
    request.logTransaction(mined.receipt, block.header.number)
    return renderReceipt(block, mined.receipt)
  }
  const waitMs = Math.min(timeoutMs ?? DEFAULT_TIMEOUT_MS, MAX_TIMEOUT_MS)
  return jsonStream(async () => {
    const later = await node.submission.waitForReceipt(transaction.hash, waitMs)
    if (later === undefined) throw notMinedInTime(transaction, waitMs)
    return renderReceipt(later.entry.block, later.receipt)
  })
}

/** The phrase is geth's; the hash is the data (EIP-7966). */
function notMinedInTime({ hash }: Transaction, waitMs: number): NodeError {
  return new NodeError(
    'receiptTimeout',
    `The transaction was added to the transaction pool but wasn't processed in ${waitMs} ms`,
    { data: hash },
  )
}

const sendRawTransactionSync = method({
  name: 'eth_sendRawTransactionSync',
  summary:
    'Sends a signed transaction and returns its receipt as soon as it is mined, also if it failed (EIP-7966). If it is not mined in time it stays pooled, and its hash is the data of the error. Later requests of the same WebSocket, local socket or batch wait for the answer: mine from another connection.',
  params: [param('data', data, 'Signed transaction.'), timeout],
  result: receiptObject,
  access: 'write',
  errors: [...SEND_ERRORS, 'receiptTimeout'],
  example: { params: [SENT.raw] },
  run: ({ data: encoded, timeout: timeoutMs }, node, request) =>
    begin(sendAndWait(node.codec.decode(encoded), timeoutMs, sendContext(node, request))),
})

const sendTransactionSync = method({
  name: 'eth_sendTransactionSync',
  summary: 'As eth_sendRawTransactionSync, signed with a key of this node.',
  params: [param('transaction', transactionRequest, 'What to send; `from` is needed.'), timeout],
  result: receiptObject,
  access: 'write',
  errors: ['unknownAccount', 'lockedAccount', ...SEND_ERRORS, 'receiptTimeout'],
  example: {
    params: [
      {
        from: '0xcd2a3d9f938e13cd947ec05abc7fe734df8dd826',
        to: '0x7986b3df570230288501eea3d890bd66948c9b79',
        value: '0x1',
      },
    ],
  },
  run: async ({ transaction, timeout: timeoutMs }, node, request) => {
    const context = sendContext(node, request)
    return begin(sendAndWait(await signOrImpersonate(transaction, context), timeoutMs, context))
  },
})

export const ethSendSyncMethods = [sendRawTransactionSync, sendTransactionSync]
