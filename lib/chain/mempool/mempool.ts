/** The pool of transactions that are not mined yet. Admission is in lib/networks/consensus; the order in a block is in pending.ts. */

import { Emitter } from '../../base/events.ts'
import { getOrAdd } from '../../base/once.ts'
import type { Address, Hash } from '../../base/hex.ts'
import type { Transaction, BlobSidecar } from '../../evm/transaction.ts'
import type { Capturable, Captured, ChainInstance, Cell } from '../instance/chain-instance.ts'

export interface PooledTransaction {
  readonly transaction: Transaction
  /** Position in the order of arrival. */
  readonly arrival: number
  readonly height: bigint
  /** When it arrived, in milliseconds of `Host.elapsed`. */
  readonly timeMs: number
}

interface Content {
  readonly bySender: Map<Address, Map<bigint, PooledTransaction>>
  readonly byHash: Map<Hash, PooledTransaction>
}

const NOTHING: Content = { bySender: new Map(), byHash: new Map() }

/** The pool of one chain instance. */
export class Mempool implements Capturable<Content> {
  readonly added = new Emitter<Transaction>()
  readonly captured: Captured<Content>
  readonly #elapsed: () => number
  #content: Content = { bySender: new Map(), byHash: new Map() }
  // A captured content is never changed in place: the next change copies it first.
  #isCaptured = false
  #arrivals = 0
  #version = 0

  /** `elapsed` tells the time of arrivals, in milliseconds. */
  constructor(instance: ChainInstance, elapsed: () => number) {
    this.#elapsed = elapsed
    this.captured = instance.registerCapturable('mempool', this, { peek: () => this.#content })
  }

  capture(): Content {
    this.#isCaptured = true
    if (this.size === 0) this.#content = NOTHING
    return this.#content
  }

  restore(content: Content): void {
    this.#content = content
    this.#isCaptured = true
    this.#version++
  }

  get size(): number {
    return this.#content.byHash.size
  }

  /** A number that changes with every change of the pool. */
  get version(): number {
    return this.#version
  }

  get(hash: Hash): PooledTransaction | undefined {
    return this.#content.byHash.get(hash)
  }

  find(sender: Address, nonce: bigint): PooledTransaction | undefined {
    return this.#content.bySender.get(sender)?.get(nonce)
  }

  add(transaction: Transaction, height: bigint): void {
    this.put(transaction, height)
    this.added.emit(transaction)
  }

  /** Adds a transaction without an event. */
  put(transaction: Transaction, height: bigint): void {
    const { bySender, byHash } = this.#changeable()
    const pooled: PooledTransaction = {
      transaction,
      arrival: this.#arrivals++,
      height,
      timeMs: this.#elapsed(),
    }
    const queue = getOrAdd(bySender, transaction.sender, () => new Map<bigint, PooledTransaction>())
    const replaced = queue.get(transaction.nonce)
    if (replaced !== undefined) byHash.delete(replaced.transaction.hash)
    queue.set(transaction.nonce, pooled)
    byHash.set(transaction.hash, pooled)
  }

  /** Replaces the content of the pool by transactions in order of arrival, without events. */
  replace(transactions: readonly Transaction[], height: bigint): void {
    this.restore({ bySender: new Map(), byHash: new Map() })
    for (const transaction of transactions) this.put(transaction, height)
  }

  /** Removes the transactions that arrived below a height, or longer ago than some time. */
  removeOlder(height: bigint, ageMs: number): void {
    const oldestMs = this.#elapsed() - ageMs
    const outdated = [...this.all()].filter((pooled) => pooled.height < height || pooled.timeMs < oldestMs)
    this.remove(outdated.map(({ transaction }) => transaction.hash))
  }

  /** Removes transactions; unknown hashes are ignored. */
  remove(hashes: readonly Hash[]): void {
    const known = hashes.flatMap((hash) => this.get(hash) ?? [])
    if (known.length === 0) return
    const { bySender, byHash } = this.#changeable()
    for (const { transaction } of known) {
      const { hash, sender, nonce } = transaction
      byHash.delete(hash)
      const queue = bySender.get(sender)
      queue?.delete(nonce)
      if (queue?.size === 0) bySender.delete(sender)
    }
  }

  removeBelowNonce(sender: Address, accountNonce: bigint): void {
    const queue = [...(this.#content.bySender.get(sender)?.values() ?? [])]
    const passed = queue.filter(({ transaction }) => transaction.nonce < accountNonce)
    this.remove(passed.map(({ transaction }) => transaction.hash))
  }

  /** Pending transactions of a sender: their nonces are consecutive from the account's nonce on. */
  pending(sender: Address, accountNonce: bigint): readonly PooledTransaction[] {
    const queue = this.#content.bySender.get(sender)
    const pending: PooledTransaction[] = []
    for (let nonce = accountNonce; ; nonce++) {
      const next = queue?.get(nonce)
      if (next === undefined) return pending
      pending.push(next)
    }
  }

  nextNonce(sender: Address, accountNonce: bigint): bigint {
    return accountNonce + BigInt(this.pending(sender, accountNonce).length)
  }

  from(sender: Address): readonly PooledTransaction[] {
    const queue = [...(this.#content.bySender.get(sender)?.values() ?? [])]
    return queue.sort((left, right) => (left.transaction.nonce < right.transaction.nonce ? -1 : 1))
  }

  senders(): IterableIterator<Address> {
    return this.#content.bySender.keys()
  }

  all(): IterableIterator<PooledTransaction> {
    return this.#content.byHash.values()
  }

  #changeable(): Content {
    this.#version++
    if (this.#isCaptured) {
      const { bySender, byHash } = this.#content
      const copied = [...bySender].map(([sender, queue]): [Address, Map<bigint, PooledTransaction>] => [
        sender,
        new Map(queue),
      ])
      this.#content = { bySender: new Map(copied), byHash: new Map(byHash) }
      this.#isCaptured = false
    }
    return this.#content
  }
}

/** Sidecars by the hash of their transaction, oldest first. */
type SidecarsByHash = ReadonlyMap<Hash, BlobSidecar>

/** Maximum number of stored blobs: 128 MiB. The blobs of the oldest transactions are dropped first. */
export const MAX_KEPT_BLOBS = 1024

/**
 * The blob sidecars of transactions that were sent to one chain instance, even after mining, because blocks do not contain them. A
 * revert drops those of later transactions.
 */
export class Sidecars {
  /** Sidecars of all transactions, even of those that are no longer in the pool or on the chain. */
  readonly kept: Cell<SidecarsByHash>

  constructor(instance: ChainInstance, known: SidecarsByHash = new Map()) {
    this.kept = instance.cell('sidecars', 'restore', known)
  }

  get(transactionHash: Hash): BlobSidecar | undefined {
    return this.kept.value.get(transactionHash)
  }

  /** Stores a sidecar, and drops the oldest above the maximum. */
  keep(transactionHash: Hash, sidecar: BlobSidecar): void {
    const kept = new Map([...this.kept.value, [transactionHash, sidecar]])
    let count = [...kept.values()].reduce((total, { blobs }) => total + blobs.length, 0)
    for (const [hash, { blobs }] of kept) {
      if (count <= MAX_KEPT_BLOBS) break
      kept.delete(hash)
      count -= blobs.length
    }
    this.kept.value = kept
  }
}
