/** The receipts of blocks of the remote chain, loaded for a whole block at once, and the logs of ranges. */

import * as z from 'zod'
import { EMPTY_BYTES, toQuantity, type Hash } from '../base/hex.ts'
import { NotLoadedError } from '../base/routine.ts'
import type { Receipt } from '../chain/block.ts'
import type { Outcome, Status } from '../evm/outcome.ts'
import { receiptObject } from '../schema/results.ts'
import { remoteReceipt, remoteLog } from '../schema/remote.ts'
import { hash } from '../schema/wire.ts'
import type { LogFilter, PlacedLog } from '../chain/log-index.ts'
import type { RemoteBlock, MinedTransaction } from './remote-block.ts'
import { readRemote, unknownMembers } from './remote-json.ts'
import type { Question } from './question.ts'
import { FactTable, type Remote } from './remote.ts'
import { remoteFailed } from './remote-error.ts'

/** The receipts of the remote. */
export class RemoteReceipts {
  readonly #remote: Remote
  readonly #byBlock = new Map<Hash, readonly Receipt[]>()

  constructor(remote: Remote) {
    this.#remote = remote
  }

  of(block: RemoteBlock): readonly Receipt[] {
    const known = this.#byBlock.get(block.hash)
    if (known !== undefined) return known
    throw new NotLoadedError(`receipts of block ${block.hash}`, async () => {
      const answers = await this.#ask(block)
      this.#byBlock.set(block.hash, parseReceipts(answers, block.transactions))
    })
  }

  /** All receipts by one request, or one by one if the remote has no method for that, or if all of them are stored. */
  async #ask({ header, transactions }: RemoteBlock): Promise<unknown> {
    if (transactions.length === 0) return []
    const questions = transactions.map((mined): Question => {
      const check = (answer: unknown): unknown => parseReceipts([answer], [mined])
      return { method: 'eth_getTransactionReceipt', params: [mined.transaction.hash], check }
    })
    const areStored = questions.every((question) => this.#remote.recall(question) !== undefined)
    const check = (answer: unknown): unknown => parseReceipts(answer, transactions)
    const together = { method: 'eth_getBlockReceipts', params: [toQuantity(header.number)], check }
    if (this.#remote.has(together.method) && !areStored) {
      try {
        return await this.#remote.ask(together)
      } catch (error) {
        if (this.#remote.has(together.method)) throw error
      }
    }
    return Promise.all(questions.map((question) => this.#remote.ask(question)))
  }
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
type RemoteLog = z.output<typeof remoteLog>

/** Finds logs of the remote. */
export class RemoteLogs {
  readonly #found: FactTable<string, readonly RemoteLog[]>
  readonly #timestampOf: (blockHash: Hash) => bigint

  /** `timestampOf` is asked about blocks whose logs do not have it; it may throw `NotLoadedError`. */
  constructor(remote: Remote, timestampOf: (blockHash: Hash) => bigint) {
    this.#timestampOf = timestampOf
    this.#found = new FactTable(remote, {
      name: 'logs',
      questions: (filter) => [{ method: 'eth_getLogs', params: [JSON.parse(filter)] }],
      read: ([json]) => parseLogs(json),
    })
  }

  /** Matching logs of a range of blocks, ascending. @throws NotLoadedError */
  find({ addresses, topics }: LogFilter, from: bigint, to: bigint): readonly PlacedLog[] {
    const filter = {
      fromBlock: toQuantity(from),
      toBlock: toQuantity(to),
      ...(addresses.length === 0 ? {} : { address: addresses }),
      ...(topics.length === 0 ? {} : { topics: topics.map((choices) => choices ?? null) }),
    }
    return placedLogs(this.#found.get(JSON.stringify(filter)), this.#timestampOf)
  }
}

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
