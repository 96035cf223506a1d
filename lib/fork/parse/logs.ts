/** Reads the logs of a remote node. */

import type { Hash } from '../../base/hex.ts'
import {
  ADDRESS,
  DATA,
  HASH,
  INDEX,
  LIST,
  QUANTITY_64,
  RemoteObject,
  readRemote,
} from '../../base/remote-object.ts'
import type { PlacedLog } from '../../chain/placed-log.ts'
import type { Log } from '../../evm/outcome.ts'

/** A mined log as eth_getLogs of a remote node returns it. */
export interface RemoteLog {
  readonly log: Log
  readonly logIndex: number
  readonly transactionHash: Hash
  readonly transactionIndex: number
  readonly blockHash: Hash
  readonly blockNumber: bigint
  /** Absent if the remote does not say; the header of the block has it. */
  readonly blockTimestamp: bigint | undefined
}

/** An event in a receipt or in a list of logs. @throws NodeError 'remoteFailed' */
export const readEvent = (object: RemoteObject): Log => ({
  address: object.get('address', ADDRESS),
  topics: object.list('topics', HASH),
  data: object.get('data', DATA),
})

/** The logs that a remote node found, in its order. @throws NodeError 'remoteFailed' naming the log and the member */
export function parseLogs(json: unknown): readonly RemoteLog[] {
  const items = readRemote(json, 'logs', LIST)
  return items.map((item, index) => readLog(RemoteObject.of(item, `log ${index}`)))
}

const readLog = (object: RemoteObject): RemoteLog => ({
  log: readEvent(object),
  logIndex: object.get('logIndex', INDEX),
  transactionHash: object.get('transactionHash', HASH),
  transactionIndex: object.get('transactionIndex', INDEX),
  blockHash: object.get('blockHash', HASH),
  blockNumber: object.get('blockNumber', QUANTITY_64),
  blockTimestamp: object.find('blockTimestamp', QUANTITY_64),
})

/**
 * The logs as log queries return them. `timestampOf` gives the time of a block whose logs do not say it. Logs of one
 * transaction share their block and receipt.
 */
export function placedLogs(
  logs: readonly RemoteLog[],
  timestampOf: (blockHash: Hash) => bigint,
): readonly PlacedLog[] {
  let last: PlacedLog | undefined
  return logs.map(({ log, logIndex, ...place }) => {
    const { block, receipt } = isOf(last, place) ? last : placeOf(place, timestampOf)
    last = { log, logIndex, receipt, block }
    return last
  })
}

type LogPlace = Omit<RemoteLog, 'log' | 'logIndex'>

const isOf = (last: PlacedLog | undefined, { blockHash, transactionHash }: LogPlace): last is PlacedLog =>
  last?.block.hash === blockHash && last.receipt.transaction.hash === transactionHash

const placeOf = (
  { blockHash, blockNumber, blockTimestamp, transactionHash, transactionIndex }: LogPlace,
  timestampOf: (blockHash: Hash) => bigint,
): Pick<PlacedLog, 'block' | 'receipt'> => ({
  block: {
    hash: blockHash,
    header: { number: blockNumber, timestamp: blockTimestamp ?? timestampOf(blockHash) },
  },
  receipt: { index: transactionIndex, transaction: { hash: transactionHash } },
})
