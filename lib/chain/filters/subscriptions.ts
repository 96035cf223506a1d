/** Notifies subscribers of chain events. rpc/render writes the notifications; the transports send them. */

import { toHex } from '../../base/hex.ts'
import type { Transaction } from '../../evm/transaction.ts'
import type { Block } from '../block.ts'
import type { ChainEntry, HeadChange } from '../chain-entry.ts'
import type { LogFilter } from '../log-index.ts'
import { logsOfBlock, matchesLog, type BlockLog } from '../logs.ts'
import type { Cell } from '../instance/chain-instance.ts'
import type { FilterDependencies, PolledLog } from './filters.ts'

export type ChainEvent =
  | { readonly kind: 'heads'; readonly block: Block }
  | { readonly kind: 'logs'; readonly log: PolledLog }
  /** A transaction entered the mempool: for subscriptions to hashes, and for those to whole transactions. */
  | { readonly kind: 'hashes' | 'transactions'; readonly transaction: Transaction }
  /** Sent once, as this node never syncs. */
  | { readonly kind: 'syncing' }
  /** A revert ended: the new head, and the removed blocks, newest first. */
  | { readonly kind: 'reverts'; readonly head: Block; readonly removed: readonly Block[] }

export type SubscriptionFilter =
  | { readonly kind: Exclude<ChainEvent['kind'], 'logs'> }
  | { readonly kind: 'logs'; readonly filter: LogFilter }

/** Passes an event to a connection. Called synchronously, in the order of the events. */
export type Notify = (id: string, event: ChainEvent) => void

interface Subscription {
  readonly subscriber: Subscriber
  readonly wanted: SubscriptionFilter
}

type SubscriptionDependencies = Pick<FilterDependencies, 'instance' | 'chain' | 'mempool' | 'host'>

/** The subscriptions of one chain instance. They survive a revert, as their connections do. */
export class Subscriptions {
  readonly #dependencies: SubscriptionDependencies
  readonly #all: Cell<ReadonlyMap<string, Subscription>>
  /** The blocks that the last head change removed. A revert changes the head only once, so they are the blocks it removed. */
  #leaving: readonly ChainEntry[] = []

  constructor(dependencies: SubscriptionDependencies) {
    const { instance, chain, mempool } = dependencies
    this.#dependencies = dependencies
    this.#all = instance.cell('subscriptions', 'keep', new Map<string, Subscription>())
    chain.headChanged.on((change) => this.#notifyHead(change))
    chain.addEveryBlockCheck(() => this.#wantsBlocks())
    // Drops the blocks of an earlier reorganization.
    instance.reverting.on(() => (this.#leaving = []))
    instance.reverted.on(() => this.#notifyRevert())
    mempool.added.on((transaction) => {
      this.#notify({ kind: 'hashes', transaction })
      this.#notify({ kind: 'transactions', transaction })
    })
  }

  get size(): number {
    return this.#all.value.size
  }

  /** A new subscriber without subscriptions. */
  connect(notify: Notify): Subscriber {
    return new Subscriber(this, notify)
  }

  /** Adds a subscription; its id cannot be guessed. */
  add(subscriber: Subscriber, wanted: SubscriptionFilter): string {
    const id = toHex(this.#dependencies.host.random(ID_LENGTH))
    this.#all.value = new Map([...this.#all.value, [id, { subscriber, wanted }]])
    return id
  }

  /** Removes the selected subscriptions of a subscriber; returns their number. */
  drop(subscriber: Subscriber, isSelected: (id: string) => boolean): number {
    const before = this.size
    const rest = [...this.#all.value].filter(
      ([id, held]) => held.subscriber !== subscriber || !isSelected(id),
    )
    if (rest.length < before) this.#all.value = new Map(rest)
    return before - rest.length
  }

  #wantsBlocks(): boolean {
    return [...this.#all.value.values()].some(({ wanted }) => BLOCK_KINDS.includes(wanted.kind))
  }

  #notifyHead(change: HeadChange): void {
    this.#leaving = change.removed
    if (this.size === 0) return
    for (const event of chainEventsOf(change)) this.#notify(event)
  }

  #notifyRevert(): void {
    const left = this.#leaving
    this.#leaving = []
    if (this.size === 0) return
    const removed = left.map(({ block }) => block)
    this.#notify({ kind: 'reverts', head: this.#dependencies.chain.head.block, removed })
  }

  #notify(event: ChainEvent): void {
    for (const [id, { subscriber, wanted }] of this.#all.value) {
      if (matchesSubscription(wanted, event)) subscriber.receive(id, event)
    }
  }
}

const BLOCK_KINDS: readonly ChainEvent['kind'][] = ['heads', 'reverts']

/** Length of an id in bytes (node-rpc 9). */
const ID_LENGTH = 16

export class Subscriber {
  readonly #subscriptions: Subscriptions
  readonly #notify: Notify
  readonly #held = new Map<string, ChainEvent[]>()
  #isClosed = false

  constructor(subscriptions: Subscriptions, notify: Notify) {
    this.#subscriptions = subscriptions
    this.#notify = notify
  }

  /** Begins a subscription, whose events are held until the next release. */
  subscribe(wanted: SubscriptionFilter): string {
    const id = this.#subscriptions.add(this, wanted)
    // A request may outlive its connection; its subscription would never end.
    if (this.#isClosed) this.close()
    else this.#held.set(id, wanted.kind === 'syncing' ? [{ kind: 'syncing' }] : [])
    return id
  }

  /** Ends a subscription; false if this subscriber does not have it. */
  unsubscribe(id: string): boolean {
    this.#held.delete(id)
    return this.#subscriptions.drop(this, (own) => own === id) > 0
  }

  /** Whether the id of a subscription has not been sent yet. */
  get isHolding(): boolean {
    return this.#held.size > 0
  }

  release(): void {
    const held = [...this.#held]
    this.#held.clear()
    for (const [id, events] of held) for (const event of events) this.#notify(id, event)
  }

  /** Sends an event, or holds it until the next release. */
  receive(id: string, event: ChainEvent): void {
    if (this.#isClosed) return
    const held = this.#held.get(id)
    if (held === undefined) this.#notify(id, event)
    else held.push(event)
  }

  /** Ends every subscription; later ones end at once. */
  close(): void {
    this.#isClosed = true
    this.#held.clear()
    this.#subscriptions.drop(this, () => true)
  }
}

function matchesSubscription(wanted: SubscriptionFilter, event: ChainEvent): boolean {
  if (wanted.kind !== 'logs') return wanted.kind === event.kind
  return event.kind === 'logs' && matchesLog(wanted.filter, event.log.log)
}

const ALL_LOGS: LogFilter = { addresses: [], topics: [] }

/** Logs of the removed blocks, newest first, then each added block, oldest first, followed by its logs. */
function* chainEventsOf({ removed, added }: HeadChange): Generator<ChainEvent> {
  for (const entry of removed) {
    for (const log of ownLogs(entry).toReversed()) yield { kind: 'logs', log: { ...log, removed: true } }
  }
  for (const entry of added) {
    yield { kind: 'heads', block: entry.block }
    for (const log of ownLogs(entry)) yield { kind: 'logs', log: { ...log, removed: false } }
  }
}

/** The logs of a block; none for a remote block, whose logs would have to be loaded. */
const ownLogs = ({ block, ownReceipts }: ChainEntry): readonly BlockLog[] =>
  ownReceipts.length === 0 ? [] : logsOfBlock(block, ALL_LOGS)
