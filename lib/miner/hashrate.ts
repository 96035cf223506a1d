/** How fast blocks are mined: computed from the chain, and what miners report of themselves. */

import type { ChainEntry } from '../chain/chain-entry.ts'
import type { Hash } from '../base/hex.ts'
import type { Host } from '../base/host.ts'
import type { Chain } from '../chain/chain.ts'
import type { Cell, ChainInstance } from '../instance/chain-instance.ts'
import type { Clock } from './clock.ts'

/** Seconds of the chain that the rate is an average over (node-rpc 5.2). */
const WINDOW_SECONDS = 3600n

/** A report that is not repeated is forgotten after so many milliseconds of wall time (geth, consensus/ethash/sealer.go). */
const REPORT_LIFE_MS = 10_000

interface Report {
  readonly hashesPerSecond: bigint
  readonly atMs: number
}

/** What the rates are taken from. */
export interface HashrateParts {
  readonly instance: ChainInstance
  readonly chain: Chain
  readonly clock: Clock
  readonly host: Host
}

/** Hashes per second of one node. */
export class Hashrates {
  readonly #parts: HashrateParts
  readonly #reports: Cell<ReadonlyMap<Hash, Report>>

  constructor(parts: HashrateParts) {
    this.#parts = parts
    // Reports are about machines, not about the chain: a revert leaves them.
    this.#reports = parts.instance.cell('hashrates', 'keep', new Map<Hash, Report>())
  }

  /**
   * Average of the last hour: the difficulties of its blocks over its seconds.
   * The walk back from the head ends at the first block outside of the hour, also at one of the future.
   */
  get ofChain(): bigint {
    const { chain, clock } = this.#parts
    const now = clock.now
    const since = now - WINDOW_SECONDS
    let work = 0n
    for (let entry = chain.head; ;) {
      const { timestamp } = entry.block.header
      if (timestamp > now || timestamp <= since) break
      work += workSince(since, entry)
      if (entry.parent === undefined) break
      entry = entry.parent
    }
    return work / WINDOW_SECONDS
  }

  /** Rate of this node, which mines every block, and of the miners that report theirs. */
  get ofMiners(): bigint {
    return this.#alive().reduce((total, [, { hashesPerSecond }]) => total + hashesPerSecond, this.ofChain)
  }

  /** Takes a miner's report; its former one does not count any more. */
  report(miner: Hash, hashesPerSecond: bigint): void {
    const report = { hashesPerSecond, atMs: this.#parts.host.now() }
    this.#reports.value = new Map([...this.#alive(), [miner, report]])
  }

  #alive(): readonly (readonly [Hash, Report])[] {
    const since = this.#parts.host.now() - REPORT_LIFE_MS
    return [...this.#reports.value].filter(([, { atMs }]) => atMs > since)
  }
}

/** Work on a block that is younger than a time, and on those of the same age that were leapt over before it. */
function workSince(since: bigint, { block, parent }: ChainEntry): bigint {
  if (parent === undefined) return block.totalDifficulty
  const [{ number, timestamp }, before] = [block.header, parent.block.header]
  const blocks = number - before.number
  const work = block.totalDifficulty - parent.block.totalDifficulty
  if (blocks === 1n || before.timestamp > since) return work
  const older = ((since - before.timestamp) * blocks) / (timestamp - before.timestamp)
  return (work * (blocks - older)) / blocks
}
