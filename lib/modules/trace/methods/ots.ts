/** ots_*: methods of the Otterscan explorer. Results are those of its document custom-jsonrpc and of Anvil. */

import * as z from 'zod'
import { toHex, toQuantity } from '../../../base/hex.ts'
import { transactionBySenderAndNonce } from '../../../chain/search.ts'
import { simpleBlockRef } from '../../../schema/requests.ts'
import { addressText, blockObject, dataText, flag, hashText } from '../../../schema/results.ts'
import { quantityText, receiptObject, text } from '../../../schema/results.ts'
import { address, index, quantity64 } from '../../../schema/wire.ts'
import type { CallNode } from '../../../insight/replay/call-tree.ts'
import { blockReaders } from '../../../rpc/block-readers.ts'
import { param, readMethod } from '../../../kernel/method.ts'
import { jsonStream } from '../../../kernel/raw-json.ts'
import { renderBlock, renderReceipt } from '../../../rpc/render/block.ts'
import {
  COW,
  COW1,
  SENT,
  UNKNOWN_HASH,
  existing,
  ofMined,
  transactionHash,
} from '../../../rpc/methods/params.ts'
import type { TracedChain } from '../scope.ts'

/** The minimum version of the interface that Otterscan requires. */
const API_LEVEL = 8

const byNumber = existing(param('block', simpleBlockRef, 'Number or tag of the block.'))

const getApiLevel = readMethod({
  name: 'ots_getApiLevel',
  summary: 'Version of the interface for Otterscan.',
  result: z.int(),
  example: { params: [], result: API_LEVEL },
  run: () => API_LEVEL,
})

const hasCode = readMethod({
  name: 'ots_hasCode',
  summary: 'Whether there is code at an address.',
  params: [param('address', address, 'Address.'), byNumber],
  result: flag,
  example: { params: [COW1, 'latest'], result: false },
  run: ({ address: account, block }, { blockResolver }: TracedChain) =>
    blockResolver.at(block).state.code(account).length > 0,
})

/** A transfer of the native coin (0), a self-destruction (1), or a creation (2 CREATE, 3 CREATE2). */
const internalOperation = z.strictObject({
  type: z.int().min(0).max(3),
  from: addressText,
  to: addressText,
  value: quantityText,
})

const getInternalOperations = readMethod({
  name: 'ots_getInternalOperations',
  summary:
    'Inner transfers (type 0), self-destructions (1) and creations (2 CREATE, 3 CREATE2) of a mined transaction; null if it is unknown.',
  params: [transactionHash],
  result: z.array(internalOperation).nullable(),
  example: { after: [SENT.step], params: [SENT.hash], result: [] },
  run: ofMined(({ entry, receipt }, { tracing }: TracedChain) =>
    jsonStream(async () => {
      const root = await tracing.callTree(entry, receipt)
      return root.status === 'success' ? root.children.flatMap(operationsOf) : []
    }),
  ),
})

const OPERATION_TYPES: ReadonlyMap<CallNode['kind'], number> = new Map([
  ['call', 0],
  ['selfdestruct', 1],
  ['create', 2],
  ['create2', 3],
])

/** The operations of a call and of its inner calls; none of a failed call, because its effects are reverted. */
function operationsOf(node: CallNode): readonly z.input<typeof internalOperation>[] {
  const { kind, from, to, value, status, children } = node
  if (status !== 'success') return []
  const inner = children.flatMap(operationsOf)
  const type = OPERATION_TYPES.get(kind)
  if (type === undefined || to === undefined || (kind === 'call' && value === 0n)) return inner
  return [{ type, from, to, value: toQuantity(value) }, ...inner]
}

/** A call with its depth; the value is null for calls that cannot transfer value. */
const otterscanCall = z.strictObject({
  type: text,
  depth: z.int(),
  from: addressText,
  to: addressText.nullable(),
  value: quantityText.nullable(),
  input: dataText,
  output: dataText,
})

const otsTraceTransaction = readMethod({
  name: 'ots_traceTransaction',
  summary: 'The calls of a mined transaction with their depth, callers first; null when it is unknown.',
  params: [transactionHash],
  result: z.array(otterscanCall).nullable(),
  example: {
    after: [SENT.step],
    params: [SENT.hash],
    result: [{ type: 'CALL', depth: 0, from: COW, to: COW1, value: '0x1', input: '0x', output: '0x' }],
  },
  run: ofMined(({ entry, receipt }, { tracing }: TracedChain) =>
    jsonStream(async () => callsOf(await tracing.callTree(entry, receipt), 0)),
  ),
})

function callsOf(node: CallNode, depth: number): readonly z.input<typeof otterscanCall>[] {
  const { kind, from, to, value, input, output, children } = node
  const hasValue = kind !== 'delegatecall' && kind !== 'staticcall'
  const shown = { to: to ?? null, value: hasValue ? toQuantity(value) : null }
  const call = { type: kind.toUpperCase(), depth, from, ...shown, input, output }
  return [call, ...children.flatMap((child) => callsOf(child, depth + 1))]
}

const getTransactionError = readMethod({
  name: 'ots_getTransactionError',
  summary: 'Revert data of a mined transaction; 0x if it did not revert, null if it is unknown.',
  params: [transactionHash],
  result: dataText.nullable(),
  example: { params: [UNKNOWN_HASH], result: null },
  run: ofMined(({ entry, receipt }, { tracing }: TracedChain) => {
    const { status, returnData } = receipt.outcome
    if (status === 'success') return '0x'
    if (entry.block.remote === undefined) return status === 'reverted' ? toHex(returnData) : '0x'
    // A remote receipt lacks revert data, so the transaction runs again.
    return jsonStream(async () => {
      const root = await tracing.callTree(entry, receipt)
      return root.status === 'reverted' ? root.output : '0x'
    })
  }),
})

const transactionCount = z.int()

/** A block without its transactions, with rewards and fees. */
const blockDetails = z.strictObject({
  block: blockObject.omit({ transactions: true }).extend({ transactionCount }),
  issuance: z.strictObject({ blockReward: quantityText, uncleReward: quantityText, issuance: quantityText }),
  totalFees: quantityText,
})

const getBlockDetails = blockReaders(
  { name: 'ots_getBlockDetailsByHash', example: { params: [UNKNOWN_HASH], refusal: 'unknownBlock' } },
  { name: 'ots_getBlockDetails', example: { params: ['latest'] } },
  {
    summary: 'A block without its transactions, with their number and total fees.',
    params: [],
    result: blockDetails,
    errors: ['unknownBlock'],
    run: ({ block: ref }, { blockResolver }: TracedChain) => {
      const resolved = blockResolver.at(ref)
      const { receipts } = resolved.block
      const { transactions, ...block } = renderBlock(resolved, false)
      const totalFees = receipts.reduce((total, { outcome }) => total + outcome.fee, 0n)
      return {
        block: { ...block, transactionCount: transactions.length },
        // A block has no reward besides its fees.
        issuance: { blockReward: '0x0', uncleReward: '0x0', issuance: '0x0' },
        totalFees: toQuantity(totalFees),
      }
    },
  },
)

const blockTransactions = z.strictObject({
  fullblock: blockObject.extend({ transactionCount }),
  receipts: z.array(receiptObject),
})

const getBlockTransactions = readMethod({
  name: 'ots_getBlockTransactions',
  summary: 'A page of the transactions of a block with their receipts, from the end of the block.',
  params: [
    byNumber,
    param('page', index, 'Which page, 0 for the last transactions.'),
    param('pageSize', index, 'Maximum number of transactions per page.'),
  ],
  result: blockTransactions,
  example: { params: ['latest', 0, 10] },
  run: ({ block: ref, page, pageSize }, { blockResolver }: TracedChain) => {
    const resolved = blockResolver.at(ref)
    const { block } = resolved
    const end = Math.max(block.receipts.length - page * pageSize, 0)
    const [start, transactionCount] = [Math.max(end - pageSize, 0), block.receipts.length]
    const rendered = renderBlock(resolved, true)
    return {
      fullblock: { ...rendered, transactions: rendered.transactions.slice(start, end), transactionCount },
      receipts: block.receipts.slice(start, end).map((receipt) => renderReceipt(block, receipt)),
    }
  },
})

const otsTransactionBySenderAndNonce = readMethod({
  name: 'ots_getTransactionBySenderAndNonce',
  summary: 'Hash of the mined transaction of a sender with a nonce, or null.',
  params: [param('sender', address, 'Its sender.'), param('nonce', quantity64, 'Its nonce.')],
  result: hashText.nullable(),
  example: { after: [SENT.step], params: [COW, '0x0'], result: SENT.hash },
  run: ({ sender, nonce }, { chain }: TracedChain) =>
    transactionBySenderAndNonce(chain, sender, nonce)?.receipt.transaction.hash ?? null,
})

export const otsMethods = [
  getApiLevel,
  hasCode,
  getInternalOperations,
  otsTraceTransaction,
  getTransactionError,
  getBlockDetails,
  getBlockTransactions,
  otsTransactionBySenderAndNonce,
]
