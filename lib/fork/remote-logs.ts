/** The logs of the remote chain, found by the remote itself. */

import * as z from 'zod'
import { toQuantity } from '../base/hex.ts'
import type { Hash } from '../base/hex.ts'
import type { LogFilter } from '../chain/log-filter.ts'
import type { PlacedLog } from '../chain/placed-log.ts'
import { remoteLog } from '../schema/remote.ts'
import { FactTable } from './facts.ts'
import { readRemote } from './remote-json.ts'
import type { Remote } from './remote.ts'

/** A mined log as eth_getLogs of a remote node returns it. The time is absent if the remote does not say it. */
type RemoteLog = z.output<typeof remoteLog>

/** Finds logs of the remote. */
export class RemoteLogs {
  /** The logs of a query, by the JSON of its filter. */
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

/**
 * The logs as log queries return them. `timestampOf` gives the time of a block whose logs do not say it. Logs of one
 * transaction share their block and receipt.
 */
export function placedLogs(
  logs: readonly RemoteLog[],
  timestampOf: (blockHash: Hash) => bigint,
): readonly PlacedLog[] {
  let last: PlacedLog | undefined
  return logs.map((found) => {
    const { address, topics, data, logIndex } = found
    const { block, receipt } = isOf(last, found) ? last : placeOf(found, timestampOf)
    last = { log: { address, topics, data }, logIndex, receipt, block }
    return last
  })
}

const isOf = (last: PlacedLog | undefined, { blockHash, transactionHash }: RemoteLog): last is PlacedLog =>
  last?.block.hash === blockHash && last.receipt.transaction.hash === transactionHash

const placeOf = (
  { blockHash, blockNumber, blockTimestamp, transactionHash, transactionIndex }: RemoteLog,
  timestampOf: (blockHash: Hash) => bigint,
): Pick<PlacedLog, 'block' | 'receipt'> => ({
  block: {
    hash: blockHash,
    header: { number: blockNumber, timestamp: blockTimestamp ?? timestampOf(blockHash) },
  },
  receipt: { index: transactionIndex, transaction: { hash: transactionHash } },
})
