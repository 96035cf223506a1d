/** Keeps the newest failed executions of all chains of a node, with what is needed to explain them later, even after a revert. */

import type { Hash } from '../../base/hex.ts'
import { ownProcessId } from '../../base/processes.ts'
import type { Block } from '../../chain/block.ts'
import type { Chain } from '../../chain/chain.ts'
import type { ChainEntry } from '../../chain/chain-entry.ts'
import type { MinedReceipt } from '../../chain/chain-index.ts'
import type { Outcome } from '../../evm/outcome.ts'
import type { PreparedCall } from '../../evm/simulated-call.ts'
import type { Explainer } from './explainer.ts'
import type { ExplanationResult, TestResult } from '../../schema/explanation-results.ts'

/** A failed execution. It is explained on demand. */
export interface FailedExecution {
  readonly kind: 'transaction' | 'call' | 'estimate'
  /** Present for a transaction. */
  readonly mined?: MinedReceipt | undefined
  readonly outcome: Outcome
  /** Height of the block that it ran in or on. */
  readonly height: bigint
  readonly world: string | undefined
  /** Bytes of its input. */
  readonly inputLength: number
  readonly explain: () => Promise<ExplanationResult>
  /** Prepares a call or an estimate to run again. */
  readonly prepare?: (() => PreparedCall) | undefined
  /** The failed test in which it ran, once the runner has reported it. */
  readonly test?: FailedTest | undefined
}

/** A test with the ids of its executions, in order, if they are kept in a report. */
export interface FailedTest {
  readonly result: TestResult
  readonly executions?: readonly number[]
  /** If no execution of a test failed, its last one is listed. */
  readonly standsFor?: number | undefined
}

interface FailureMark {
  /** Ids rise. Workers of one run begin at different thousands. */
  readonly id: number
  /** Milliseconds since the epoch. */
  readonly at: number
}

export interface KeptFailure extends FailedExecution, FailureMark {}

const MAX_FAILURES = 1000

const MAX_BYTES = 64 * 1024 * 1024

/** Bytes counted for a failure, and for a block that only failures hold: header, receipts and changed trie nodes. */
const BYTES_PER_FAILURE = 1024
const BYTES_PER_BLOCK = 8192

/** Maximum number of removed transactions whose time is remembered. */
const MAX_REMOVED = 10_000

interface WatchedChain {
  readonly chain: Chain
  readonly world: string | undefined
  readonly loadExplainer: () => Promise<Explainer>
}

/** Number of ids per process of a run, and of processes before ids repeat. */
const [FAILURES_OF_PROCESS, PROCESSES] = [1000, 100_000]

export class Failures {
  readonly #now: () => number
  /** Oldest first, with the counted bytes. */
  readonly #kept: { failure: KeptFailure; bytes: number }[] = []
  /**
   * Times of reverts by removed block and by removed transaction. Blocks are the keys, because a state edit replaces the entry but
   * keeps its block.
   */
  readonly #removedBlocks = new WeakMap<Block, number>()
  readonly #removed = new Map<Hash, number>()
  #lastId = 0
  #bytes = 0

  /** `now`: milliseconds since the epoch. */
  constructor(now: () => number) {
    this.#now = now
  }

  /** Keeps the failed transactions of a chain from now on. */
  watch({ chain, world, loadExplainer }: WatchedChain): void {
    chain.headChanged.on(({ removed, added }) => {
      this.#remove(removed)
      this.released(world, removed.at(-1)?.block.header.number, removed.length)
      // A new genesis means that the chain was loaded, so its blocks are not new.
      if (added[0]?.number === 0) return
      for (const entry of added) {
        // A revert to a later snapshot brings blocks back.
        const isBack = this.#removedBlocks.delete(entry.block)
        for (const receipt of isBack ? [] : entry.ownReceipts) {
          const { outcome, transaction } = receipt
          if (outcome.status === 'success') continue
          const explain = async () => (await loadExplainer()).transaction(entry, receipt)
          const height = entry.block.header.number
          const inputLength = transaction.data.length
          const mined = { entry, receipt }
          this.add({ kind: 'transaction', mined, outcome, height, world, inputLength, explain })
        }
      }
    })
  }

  add(failed: FailedExecution, { id = this.nextId(), at = this.#now() }: Partial<FailureMark> = {}): void {
    const bytes = BYTES_PER_FAILURE + failed.inputLength + failed.outcome.returnData.length
    this.#kept.push({ failure: { ...failed, id, at }, bytes })
    this.#bytes += bytes
    this.#shrink()
  }

  /** Starts ids at a thousand of this process, because several processes write one file. */
  beginOwnRange(): void {
    this.#lastId = FAILURES_OF_PROCESS * (1 + (ownProcessId % PROCESSES))
  }

  nextId(): number {
    return ++this.#lastId
  }

  assign(ids: readonly number[], test: FailedTest): void {
    for (const kept of this.#kept) if (ids.includes(kept.failure.id)) kept.failure = { ...kept.failure, test }
  }

  /** Counts blocks from a height on that a chain no longer has, if the newest failure still holds them. */
  released(world: string | undefined, lowest: bigint | undefined, count: number): void {
    const newest = this.#kept.at(-1)
    if (newest === undefined || lowest === undefined) return
    if (newest.failure.world !== world || newest.failure.height < lowest) return
    newest.bytes += count * BYTES_PER_BLOCK
    this.#bytes += count * BYTES_PER_BLOCK
    this.#shrink()
  }

  get all(): readonly KeptFailure[] {
    return this.#kept.map(({ failure }) => failure).reverse()
  }

  findNewest(holds: (failure: KeptFailure) => boolean): KeptFailure | undefined {
    return this.#kept.findLast(({ failure }) => holds(failure))?.failure
  }

  get removed(): Iterable<Hash> {
    return this.#removed.keys()
  }

  /** Time of the revert that removed a block, in milliseconds since the epoch; undefined if it is on its chain. */
  removalOf(entry: ChainEntry): number | undefined {
    return this.#removedBlocks.get(entry.block)
  }

  /** Time of the last revert that removed a transaction, in milliseconds since the epoch; undefined if it is not known. */
  removedAt(hash: Hash): number | undefined {
    return this.#removed.get(hash)
  }

  #remove(entries: readonly ChainEntry[]): void {
    for (const entry of entries) {
      const at = this.#now()
      this.#removedBlocks.set(entry.block, at)
      for (const { transaction } of entry.ownReceipts) {
        this.#removed.delete(transaction.hash)
        this.#removed.set(transaction.hash, at)
      }
    }
    for (const hash of this.#removed.keys()) {
      if (this.#removed.size <= MAX_REMOVED) return
      this.#removed.delete(hash)
    }
  }

  #shrink(): void {
    while (this.#kept.length > MAX_FAILURES || this.#bytes > MAX_BYTES)
      this.#bytes -= this.#kept.shift()?.bytes ?? 0
  }
}
