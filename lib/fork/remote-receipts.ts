/** Asks for receipts of the remote chain, for those of a whole block at once, and for logs of ranges. Reads the answers. */

import * as z from 'zod'
import { EMPTY_BYTES, toQuantity, type Hash } from '../base/hex.ts'
import type { Receipt } from '../chain/block.ts'
import type { Outcome, Status } from '../evm/outcome.ts'
import { receiptObject } from '../schema/results.ts'
import { remoteReceipt, remoteLog } from '../schema/remote.ts'
import { hash } from '../schema/wire.ts'
import type { LogFilter, PlacedLog } from '../chain/log-index.ts'
import type { RemoteBlock, MinedTransaction } from './remote-block.ts'
import { readRemote, unknownMembers } from './remote-json.ts'
import type { Question } from './question.ts'
import type { Remote } from './remote.ts'
import { remoteFailed } from './remote-error.ts'

/** Asks for all receipts of a block at once, or one by one if the remote has no method for that, or if all of them are stored. */
export function receiptQuestions(remote: Remote, { header, transactions }: RemoteBlock): readonly Question[] {
  const oneByOne = transactions.map((mined): Question => {
    const check = (answer: unknown): unknown => parseReceipts([answer], [mined])
    return { method: 'eth_getTransactionReceipt', params: [mined.transaction.hash], check }
  })
  const method = 'eth_getBlockReceipts'
  const areStored = oneByOne.every((question) => remote.recall(question) !== undefined)
  if (areStored || !remote.has(method)) return oneByOne
  const check = (answer: unknown): unknown => parseReceipts(answer, transactions)
  return [{ method, params: [toQuantity(header.number)], check }]
}

const receiptList = z.array(z.looseObject({ transactionHash: hash }))

/**
 * The receipts of a block's transactions, in their order. A receipt of another transaction is ignored: some networks make
 * receipts of system events that blocks do not list.
 * @throws NodeError 'remoteFailed' naming the transaction and the member
 */
export function parseReceipts(json: unknown, transactions: readonly MinedTransaction[]): readonly Receipt[] {
  const byHash = new Map(
    readRemote(receiptList, json, 'receipts').map((item) => [item.transactionHash, item]),
  )
  let logCount = 0
  return transactions.map((mined) => {
    const item = byHash.get(mined.transaction.hash)
    if (item === undefined)
      throw remoteFailed(`the remote has no receipt of transaction ${mined.transaction.hash}`)
    const receipt = receiptOf(item, mined, logCount)
    logCount = receipt.firstLogIndex + receipt.outcome.logs.length
    return receipt
  })
}

/**
 * A receipt. It has neither the return data nor the exception of its transaction, nor the refunded gas: they are empty, absent and
 * zero. The fee is that for gas: it lacks what rollups charge for data.
 */
function receiptOf(json: unknown, { transaction, ...mined }: MinedTransaction, logCount: number): Receipt {
  const given = readRemote(remoteReceipt, json, `receipt of transaction ${transaction.hash}`)
  const { gasUsed, status, logs, logsBloom, contractAddress, cumulativeGasUsed } = given
  const { effectiveGasPrice = mined.effectiveGasPrice } = given
  if (status === undefined && given.root === undefined)
    throw remoteFailed(`the remote's receipt of transaction ${transaction.hash} has no status`)
  const outcome: Outcome = {
    status: statusOf(status, gasUsed === transaction.gasLimit),
    gasUsed,
    gasNeeded: gasUsed,
    fee: gasUsed * effectiveGasPrice,
    blobGas: blobGasOf(given),
    logs: logs.map(({ address, topics, data }) => ({ address, topics, data })),
    logsBloom,
    returnData: EMPTY_BYTES,
    contractAddress,
    exception: undefined,
    postState: status === undefined ? given.root : undefined,
    remoteMembers: unknownMembers(given, receiptObject.shape),
  }
  const firstLogIndex = logs[0]?.logIndex ?? logCount
  return { transaction, ...mined, effectiveGasPrice, outcome, cumulativeGasUsed, firstLogIndex }
}

/**
 * The status of a transaction. An exception uses up the gas limit and REVERT does not, unless nothing was left. A receipt from
 * before Byzantium has no status (EIP-658); nothing shows the one that it gets here.
 */
function statusOf(status: '0x0' | '0x1' | undefined, hasUsedLimit: boolean): Status {
  if (status !== '0x0') return 'success'
  return hasUsedLimit ? 'failed' : 'reverted'
}

function blobGasOf(receipt: z.output<typeof remoteReceipt>): Outcome['blobGas'] {
  const { blobGasUsed: used, blobGasPrice: price } = receipt
  return used === undefined || price === undefined ? undefined : { used, price }
}

/** A mined log as eth_getLogs of a remote node returns it. The time is absent if the remote does not say it. */
export type RemoteLog = z.output<typeof remoteLog>

/** The param of eth_getLogs for matching logs of a range of blocks. */
export const logsParam = ({ addresses, topics }: LogFilter, from: bigint, to: bigint) => ({
  fromBlock: toQuantity(from),
  toBlock: toQuantity(to),
  ...(addresses.length === 0 ? {} : { address: addresses }),
  ...(topics.length === 0 ? {} : { topics: topics.map((choices) => choices ?? null) }),
})

/** The logs that a remote node found, in its order. @throws NodeError 'remoteFailed' naming the log and the member */
export const parseLogs = (json: unknown): readonly RemoteLog[] => readRemote(z.array(remoteLog), json, 'logs')

/** The logs as log queries return them. `timestampOf` gives the time of a block whose logs do not say it. */
export const placedLogs = (
  logs: readonly RemoteLog[],
  timestampOf: (blockHash: Hash) => bigint,
): readonly PlacedLog[] =>
  logs.map(({ address, topics, data, logIndex, ...place }) => ({
    log: { address, topics, data },
    logIndex,
    receipt: { index: place.transactionIndex, transaction: { hash: place.transactionHash } },
    block: {
      hash: place.blockHash,
      header: { number: place.blockNumber, timestamp: place.blockTimestamp ?? timestampOf(place.blockHash) },
    },
  }))
