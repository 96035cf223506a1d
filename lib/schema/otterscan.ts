/** Results of the methods of the Otterscan explorer (its document custom-jsonrpc). */

import * as z from 'zod'
import {
  addressText,
  blockObject,
  dataText,
  hashText,
  quantityText,
  receiptObject,
  text,
  transactionObject,
} from './results.ts'

/** A transfer of the native coin (0), a self-destruction (1), or a creation (2 CREATE, 3 CREATE2). */
export const internalOperation = z.strictObject({
  type: z.int().min(0).max(3),
  from: addressText,
  to: addressText,
  value: quantityText,
})

/** A call with its depth; the value is null for calls that cannot transfer value. */
export const otterscanCall = z.strictObject({
  type: text,
  depth: z.int(),
  from: addressText,
  to: addressText.nullable(),
  value: quantityText.nullable(),
  input: dataText,
  output: dataText,
})

const transactionCount = z.int()

/** A block without its transactions, with rewards and fees. */
export const blockDetails = z.strictObject({
  block: blockObject.omit({ transactions: true }).extend({ transactionCount }),
  issuance: z.strictObject({ blockReward: quantityText, uncleReward: quantityText, issuance: quantityText }),
  totalFees: quantityText,
})

/** A page of a block's transactions. */
export const blockTransactions = z.strictObject({
  fullblock: blockObject.extend({ transactionCount }),
  receipts: z.array(receiptObject),
})

/** A page of an account's transactions, newest first. */
export const transactionPage = z.strictObject({
  txs: z.array(transactionObject),
  receipts: z.array(receiptObject.extend({ timestamp: quantityText })),
  firstPage: z.boolean(),
  lastPage: z.boolean(),
})

/** The transaction that created a contract, and the account that created it. */
export const contractCreator = z.strictObject({ hash: hashText, creator: addressText })
