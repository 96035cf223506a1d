/** Who hears of what happens, and of what. How it is worded is rpc/render's, how it is sent the transport's. */

import { toHex } from '../base/hex.ts'
import type { Host } from '../base/host.ts'
import type { Block } from '../chain/block.ts'
import type { Chain, HeadChange, Watched } from '../chain/chain.ts'
import type { Mempool } from '../mempool/mempool.ts'
import type { Cell, ChainInstance } from '../instance/chain-instance.ts'
import { chainEventsOf, matchesSubscription } from './chain-event.ts'
import type { ChainEvent, SubscriptionFilter } from './chain-event.ts'

/** Tells a subscriber. Called at once, in the order of what happens. */
export type Tell = (id: string, event: ChainEvent) => void

interface Subscription {
  readonly id: string
  readonly subscriber: Subscriber
  readonly wanted: SubscriptionFilter
}

/** What the subscriptions listen to. */
export interface SubscriptionParts {
  readonly instance: ChainInstance
  readonly chain: Chain
  readonly mempool: Mempool
  readonly host: Host
}

/** The subscriptions of one world. They outlive a revert, as the connections they belong to do. */
export class Subscriptions {
  readonly #parts: SubscriptionParts
  readonly #all: Cell<ReadonlyMap<string, Subscription>>
  /** Blocks that left last; in the course of a revert, which is one step, those that leave for it. */
  #leaving: readonly Block[] = []

  constructor(parts: SubscriptionParts) {
    const { instance, chain, mempool } = parts
    this.#parts = parts
    this.#all = instance.cell('subscriptions', 'keep', new Map<string, Subscription>())
    chain.headChanged.on((change) => this.#tellOfHead(change))
    chain.addWatch((what) => this.#wants(KINDS[what]))
    // Blocks may have left for others of more weight, too.
    instance.reverting.on(() => (this.#leaving = []))
    instance.reverted.on(() => this.#tellOfRevert())
    mempool.added.on((transaction) => {
      this.#tell({ kind: 'hashes', transaction })
      this.#tell({ kind: 'transactions', transaction })
    })
  }

  /** Number of subscriptions of all subscribers. */
  get size(): number {
    return this.#all.value.size
  }

  /** Somebody new, without a subscription. */
  connect(tell: Tell): Subscriber {
    return new Subscriber(this, tell)
  }

  /** Adds a subscription; its id cannot be guessed. */
  add(subscriber: Subscriber, wanted: SubscriptionFilter): string {
    const id = toHex(this.#parts.host.random(ID_LENGTH))
    this.#all.value = new Map([...this.#all.value, [id, { id, subscriber, wanted }]])
    return id
  }

  /** Drops those subscriptions of a subscriber that are meant; answers how many. */
  drop(subscriber: Subscriber, isMeant: (id: string) => boolean): number {
    const before = this.size
    const rest = [...this.#all.value].filter(([id, one]) => one.subscriber !== subscriber || !isMeant(id))
    if (rest.length < before) this.#all.value = new Map(rest)
    return before - rest.length
  }

  #wants(kinds: readonly ChainEvent['kind'][]): boolean {
    return [...this.#all.value.values()].some(({ wanted }) => kinds.includes(wanted.kind))
  }

  #tellOfHead(change: HeadChange): void {
    this.#leaving = change.removed
    if (this.size === 0) return
    for (const event of chainEventsOf(change)) this.#tell(event)
  }

  #tellOfRevert(): void {
    const removed = this.#leaving
    this.#leaving = []
    this.#tell({ kind: 'reverts', head: this.#parts.chain.head.block, removed })
  }

  #tell(event: ChainEvent): void {
    for (const { id, subscriber, wanted } of this.#all.value.values()) {
      if (matchesSubscription(wanted, event)) subscriber.hear(id, event)
    }
  }
}

/** Happenings that tell of every block, and of every log. */
const KINDS: Readonly<Record<Watched, readonly ChainEvent['kind'][]>> = {
  blocks: ['heads', 'reverts'],
  logs: ['logs'],
}

/** Bytes of an id (node-rpc 9). */
const ID_LENGTH = 16

/** One who hears: the far end of a connection. It knows its own subscriptions only. */
export class Subscriber {
  readonly #subscriptions: Subscriptions
  readonly #tell: Tell
  /** What subscriptions whose ids are not out yet have to wait with. */
  readonly #held = new Map<string, ChainEvent[]>()
  #isClosed = false

  constructor(subscriptions: Subscriptions, tell: Tell) {
    this.#subscriptions = subscriptions
    this.#tell = tell
  }

  /** Begins a subscription, about which nothing is told before the next release. */
  subscribe(wanted: SubscriptionFilter): string {
    const id = this.#subscriptions.add(this, wanted)
    // A request may outlive its connection; nobody would ever end the subscription.
    if (this.#isClosed) this.close()
    else this.#held.set(id, wanted.kind === 'syncing' ? [{ kind: 'syncing' }] : [])
    return id
  }

  /** Ends a subscription; answers whether this subscriber had it. */
  unsubscribe(id: string): boolean {
    this.#held.delete(id)
    return this.#subscriptions.drop(this, (own) => own === id) > 0
  }

  /** Tells what happened since subscriptions were made, whose ids have been told by now. */
  release(): void {
    const held = [...this.#held]
    this.#held.clear()
    for (const [id, happenings] of held) for (const event of happenings) this.#tell(id, event)
  }

  /** Is told of something, unless it is held back. */
  hear(id: string, event: ChainEvent): void {
    if (this.#isClosed) return
    const held = this.#held.get(id)
    if (held === undefined) this.#tell(id, event)
    else held.push(event)
  }

  /** Ends every subscription, and those that are still to come. */
  close(): void {
    this.#isClosed = true
    this.#held.clear()
    this.#subscriptions.drop(this, () => true)
  }
}
