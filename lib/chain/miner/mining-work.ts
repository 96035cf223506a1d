/** Work for external miners: candidates for the next block, the import of submitted solutions, and the hash rates that they report. */

import { NodeError } from '../../base/errors.ts'
import type { Hash } from '../../base/hex.ts'
import type { Routine } from '../../base/routine.ts'
import type { Header, HeaderWork, SealedHeader } from '../../networks/consensus/consensus.ts'
import { targetOf } from '../../networks/consensus/target.ts'
import type { EthashSolution } from '../../networks/ethereum/consensus/ethash.ts'
import { ChainEntry } from '../chain-entry.ts'
import { ZERO_HASH } from '../header.ts'
import type { Cell } from '../instance/chain-instance.ts'
import type { MinerDependencies } from './miner-dependencies.ts'
import type { Miner } from './miner.ts'

/** A candidate for the next block. The hash of its header identifies it. */
interface Work extends HeaderWork {
  readonly fees: bigint
  readonly entry: ChainEntry
}

/** Result of the import of a solved block (node-chain 4.3). */
interface ImportResult {
  readonly result: 'IMPORTED_BEST' | 'IMPORTED_NOT_BEST' | 'EXIST' | 'NO_PARENT'
  readonly hash: Hash
  readonly number: bigint
}

/** Maximum number of stored candidates (node-chain 4.2). */
const MAX_CANDIDATES = 20

/** Percent by which the fees must rise before miners are notified again for the same parent (node-chain 4.2). */
const NOTABLE_RISE = 10n

interface WorkState {
  /** Newest first. */
  readonly candidates: readonly Work[]
  readonly notified: { readonly parent: Hash; readonly fees: bigint } | undefined
}

interface WorkDependencies extends Pick<MinerDependencies, 'instance' | 'chain'> {
  readonly miner: Miner
}

export class MiningWork {
  readonly #dependencies: WorkDependencies
  readonly #state: Cell<WorkState>

  constructor(dependencies: WorkDependencies) {
    this.#dependencies = dependencies
    const nothing = { candidates: [], notified: undefined }
    this.#state = dependencies.instance.cell<WorkState>('work', 'restore', nothing)
  }

  /** The pending block as work. It is stored until newer candidates replace it. */
  *current(): Routine<Work> {
    const entry = yield* this.#dependencies.miner.pendingBlock()
    const { header } = entry.block
    const hash = header.consensus.sealHash(header)
    const work = { hash, target: targetOf(header.difficulty), fees: header.paidFees, entry }
    const others = this.#state.value.candidates.filter((candidate) => candidate.hash !== hash)
    const candidates = [work, ...others].slice(0, MAX_CANDIDATES)
    this.#state.value = { ...this.#state.value, candidates }
    return work
  }

  /** Whether miners should switch to this work: its parent is new, or its fees are notably higher. True only once. */
  notify({ entry, fees }: Work): boolean {
    const { notified } = this.#state.value
    const parent = entry.block.header.parentHash
    const isNew = notified?.parent !== parent || fees * 100n > notified.fees * (100n + NOTABLE_RISE)
    if (isNew) this.#state.value = { ...this.#state.value, notified: { parent, fees } }
    return isNew
  }

  /**
   * Imports the block whose seal hash an external proof names. Only the proof is checked; a `fault` describes why it is invalid
   * (node-chain 4.3). @throws NodeError 'submissionRefused'
   */
  *submit(
    sealHash: Hash | undefined,
    prove: (header: Header, work: Work) => SealedHeader & { readonly fault: string | undefined },
  ): Routine<ImportResult> {
    const work = this.#solvedBy(sealHash)
    const { fault, ...sealed } = prove(work.entry.block.header, work)
    if (fault === undefined) return yield* this.#add(work, sealed)
    const names = `${sealed.hash.slice(2)} ${work.hash.slice(2)} at height ${sealed.header.number}`
    throw new NodeError('submissionRefused', `Invalid block supplied by miner: ${names}: ${fault}`)
  }

  /** Imports a candidate with an ethash solution; undefined if the candidate is unknown or the solution is wrong. */
  async seal(hash: Hash, solution: EthashSolution): Promise<ImportResult | undefined> {
    const work = this.#find(hash)
    if (work === undefined) return undefined
    const { header } = work.entry.block
    const sealed = await header.consensus.solve(header, work, solution)
    const { lock } = this.#dependencies.instance
    return sealed === undefined ? undefined : lock.finish(this.#add(work, sealed))
  }

  /** The stored candidate with this seal hash, which a coinbase contains. @throws NodeError 'submissionRefused' */
  #solvedBy(hash: Hash | undefined): Work {
    const work = hash === undefined ? undefined : this.#find(hash)
    if (work !== undefined) return work
    const reason = hash === undefined ? ': the coinbase has no tag and hash' : ''
    throw new NodeError(
      'submissionRefused',
      `Cannot publish block, could not find hash ${hash ?? ZERO_HASH} in the cache${reason}`,
    )
  }

  #find(hash: Hash): Work | undefined {
    return this.#state.value.candidates.find((candidate) => candidate.hash === hash)
  }

  *#add({ entry }: Work, sealed: SealedHeader): Routine<ImportResult> {
    const { chain, miner } = this.#dependencies
    const block = { ...entry.block, ...sealed }
    const place = { hash: block.hash, number: block.header.number }
    if (chain.byHash(block.hash) !== undefined) return { result: 'EXIST', ...place }
    // This also finds a parent whose state was edited since, because the candidate ran on the state before the edit.
    if (chain.byHash(block.header.parentHash) !== entry.parent) return { result: 'NO_PARENT', ...place }
    const { state, parent } = entry
    const isBest = yield* miner.importBlock(new ChainEntry({ block, state, parent }))
    return { result: isBest ? 'IMPORTED_BEST' : 'IMPORTED_NOT_BEST', ...place }
  }
}

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

  /** Difficulty per second in the last hour. The walk from the head ends at the first block outside the hour, even one in the future. */
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
