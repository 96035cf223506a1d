/** Indexes the blocks in which an address or a topic occurs. Matching single logs is in logs.ts. */

import { bisect } from '../base/bisect.ts'
import { getOrAdd } from '../base/once.ts'
import type { Address, Hash } from '../base/hex.ts'
import type { Header } from '../networks/consensus/consensus.ts'
import type { Log } from '../evm/outcome.ts'
import type { Transaction } from '../evm/transaction.ts'
import type { Block, Receipt } from './block.ts'
import type { ChainEntry } from './chain-entry.ts'

/** A log with its place in the chain: what is known of a log that a remote node found. */
export interface PlacedLog {
  readonly log: Log
  readonly logIndex: number
  readonly receipt: Pick<Receipt, 'index'> & { readonly transaction: Pick<Transaction, 'hash'> }
  readonly block: Pick<Block, 'hash'> & { readonly header: Pick<Header, 'number' | 'timestamp'> }
}

/** A filter by address and topics. An empty list of addresses or positions matches everything. */
export interface LogFilter {
  readonly addresses: readonly Address[]
  /** By position: `undefined` matches any topic, but no log without a topic there. A list, which is never empty, matches one of its topics. */
  readonly topics: readonly (readonly Hash[] | undefined)[]
}

/** The members of a block that its indexes read. */
export type IndexedEntry = Pick<ChainEntry, 'number' | 'ownReceipts'>

type Postings = number[]

/**
 * Block numbers by the addresses and topics of their logs. Blocks without logs are not indexed. An address and a topic
 * differ in length, so one map holds both. The position of a topic is not indexed.
 */
export class LogIndex {
  readonly #withLogs: Postings = []
  readonly #byOrigin = new Map<Address | Hash, Postings>()

  /** Begins with the blocks of another index, if one is given. */
  constructor(origin?: LogIndex) {
    if (origin === undefined) return
    this.#withLogs = [...origin.#withLogs]
    for (const [key, postings] of origin.#byOrigin) this.#byOrigin.set(key, [...postings])
  }

  add(entry: IndexedEntry): void {
    const { number } = entry
    for (const key of keysOf(entry)) {
      const postings: Postings = getOrAdd(this.#byOrigin, key, () => [])
      addNumber(postings, number)
      addNumber(this.#withLogs, number)
    }
  }

  /** Removes the highest block. */
  remove(entry: IndexedEntry): void {
    for (const key of keysOf(entry)) {
      const postings = this.#byOrigin.get(key) ?? []
      forget(postings, entry.number)
      if (postings.length === 0) this.#byOrigin.delete(key)
    }
    forget(this.#withLogs, entry.number)
  }

  /** Number of indexed addresses and topics. */
  get size(): number {
    return this.#byOrigin.size
  }

  /** Numbers of the blocks in the range that may contain a matching log, ascending. No other block contains one. */
  candidates({ addresses, topics }: LogFilter, from: number, to: number): readonly number[] {
    const conditions = [addresses, ...topics.map((choices) => choices ?? [])]
      .filter((choices) => choices.length > 0)
      .map((choices) => this.#withAny(choices, from, to))
      .sort((left, right) => left.size - right.size)
    const [rarest, ...others] = conditions
    if (rarest === undefined) return within(this.#withLogs, from, to)
    const matching = [...rarest].filter((number) => others.every((numbers) => numbers.has(number)))
    return matching.sort((left, right) => left - right)
  }

  #withAny(choices: readonly (Address | Hash)[], from: number, to: number): ReadonlySet<number> {
    return new Set(choices.flatMap((choice) => within(this.#byOrigin.get(choice) ?? [], from, to)))
  }
}

function* keysOf({ ownReceipts }: IndexedEntry): Generator<Address | Hash> {
  for (const { outcome } of ownReceipts) {
    for (const { address, topics } of outcome.logs) {
      yield address
      yield* topics
    }
  }
}

/** Adds a block number once, even if the address or topic occurs in several logs of the block. */
function addNumber(postings: Postings, number: number): void {
  if (postings.at(-1) !== number) postings.push(number)
}

function forget(postings: Postings, number: number): void {
  if (postings.at(-1) === number) postings.pop()
}

function within(postings: readonly number[], from: number, to: number): number[] {
  const countBelow = (end: number) => bisect(postings.length, (position) => (postings[position] ?? end) < end)
  return postings.slice(countBelow(from), countBelow(to + 1))
}
