/** The logs of the remote chain, found by the remote itself. */

import { toQuantity } from '../base/hex.ts'
import type { Hash } from '../base/hex.ts'
import type { LogFilter } from '../chain/log-filter.ts'
import type { PlacedLog } from '../chain/placed-log.ts'
import { FactTable } from './facts.ts'
import { parseLogs, placedLogs } from './parse/logs.ts'
import type { RemoteLog } from './parse/logs.ts'
import type { Remote } from './remote.ts'

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
