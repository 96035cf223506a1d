/** Computes the hash rate of the chain, and stores the hash rates that miners report. */

import type { Hash } from '../../base/hex.ts'
import type { ChainEntry } from '../chain-entry.ts'
import type { Cell } from '../instance/chain-instance.ts'
import type { MinerDependencies } from './miner-dependencies.ts'

/** Time window of the average, in seconds of the chain's clock (node-rpc 5.2). */
const WINDOW_SECONDS = 3600n

/** Milliseconds after which a report expires (geth, consensus/ethash/sealer.go). */
const REPORT_LIFE_MS = 10_000

interface Report {
  readonly hashesPerSecond: bigint
  readonly atMs: number
}

type HashrateDependencies = Pick<MinerDependencies, 'instance' | 'chain' | 'clock' | 'host'>

/** Hashes per second of one node. */
export class Hashrates {
  readonly #dependencies: HashrateDependencies
  readonly #reports: Cell<ReadonlyMap<Hash, Report>>

  constructor(dependencies: HashrateDependencies) {
    this.#dependencies = dependencies
    // A revert keeps the reports, because they describe machines, not the chain.
    this.#reports = dependencies.instance.cell('hashrates', 'keep', new Map<Hash, Report>())
  }

  /** Difficulty per second in the last hour. The walk from the head ends at the first block outside of it, which can be a future one. */
  get ofChain(): bigint {
    const { chain, clock } = this.#dependencies
    const now = clock.now
    const since = now - WINDOW_SECONDS
    let work = 0n
    for (let entry: ChainEntry | undefined = chain.head; entry !== undefined; entry = entry.parent) {
      const { timestamp } = entry.block.header
      if (timestamp > now || timestamp <= since) break
      work += workSince(since, entry)
    }
    return work / WINDOW_SECONDS
  }

  /** Hash rate of this node and of the miners that report theirs. */
  get ofMiners(): bigint {
    return this.#alive().reduce((total, [, { hashesPerSecond }]) => total + hashesPerSecond, this.ofChain)
  }

  /** Stores a miner's report, which replaces its previous one. */
  report(miner: Hash, hashesPerSecond: bigint): void {
    const report = { hashesPerSecond, atMs: this.#dependencies.host.elapsed() }
    this.#reports.value = new Map([...this.#alive(), [miner, report]])
  }

  #alive(): readonly (readonly [Hash, Report])[] {
    const since = this.#dependencies.host.elapsed() - REPORT_LIFE_MS
    return [...this.#reports.value].filter(([, { atMs }]) => atMs > since)
  }
}

/** Difficulty of a block and of the reserved blocks before it, as far as they are later than `since`. */
function workSince(since: bigint, { block, parent }: ChainEntry): bigint {
  if (parent === undefined) return block.totalDifficulty
  const [{ number, timestamp }, before] = [block.header, parent.block.header]
  const blocks = number - before.number
  const work = block.totalDifficulty - parent.block.totalDifficulty
  if (blocks === 1n || before.timestamp > since) return work
  const older = ((since - before.timestamp) * blocks) / (timestamp - before.timestamp)
  return (work * (blocks - older)) / blocks
}
