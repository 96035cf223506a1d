/** Installed filters, which collect events between polls. They survive a revert, because clients continue to poll them. */

import { PHRASES } from '../../config/phrases.ts'
import { NodeError } from '../../base/errors.ts'
import { toHex, type Hash } from '../../base/hex.ts'
import type { Routine } from '../../base/routine.ts'
import type { Host } from '../../base/host.ts'
import type { Block } from '../block.ts'
import type { ChainEntry, HeadChange } from '../chain-entry.ts'
import type { Chain } from '../chain.ts'
import type { LogFilter } from '../log-index.ts'
import { logsOfBlock, logsOfPendingBlock, type BlockLog } from '../logs.ts'
import type { Cell, ChainInstance } from '../instance/chain-instance.ts'
import type { Mempool } from '../mempool/mempool.ts'

export interface PolledLog extends BlockLog {
  readonly removed: boolean
  /** Whether the log belongs to the pending block. */
  readonly isPending?: boolean
}

/** Logs that a filter collects. Bounds are block numbers; an absent bound is open. */
export interface LogCriteria extends LogFilter {
  readonly from?: bigint | undefined
  readonly to?: bigint | undefined
  readonly wantsMined: boolean
  /** Whether to collect logs of the pending block. */
  readonly wantsPending: boolean
}

/** The kind of a filter, and its results since the last poll. */
type Collected =
  | { readonly kind: 'blocks' | 'transactions'; pending: Hash[] }
  | {
      readonly kind: 'logs'
      readonly wanted: LogCriteria
      /** Lowest height of the head since the installation: blocks above it are new to the client. */
      since: bigint
      pending: PolledLog[]
      /** Keys of the logs that the pending block had at the last poll. */
      knownKeys: ReadonlySet<string>
    }

type CollectedLogs = Extract<Collected, { kind: 'logs' }>

interface Installed {
  readonly collected: Collected
  polledAtMs: number
}

const UNKNOWN_FILTER = { phrases: PHRASES.unknownFilter() }

/** Services and settings of the filters. */
export interface FilterDependencies {
  readonly instance: ChainInstance
  readonly chain: Chain
  readonly mempool: Mempool
  readonly host: Host
  /** Time without a poll after which a filter is removed. */
  readonly timeoutMs: number
  readonly pendingBlock: () => Routine<{ readonly block: Block }>
}

export class Filters {
  readonly #dependencies: FilterDependencies
  readonly #installed: Cell<ReadonlyMap<bigint, Installed>>
  readonly #lastId: Cell<bigint>

  constructor(dependencies: FilterDependencies) {
    this.#dependencies = dependencies
    this.#installed = dependencies.instance.cell('filters', 'keep', new Map<bigint, Installed>())
    this.#lastId = dependencies.instance.cell('lastFilterId', 'keep', 0n)
    dependencies.chain.headChanged.on((change) => this.#collectBlocks(change))
    dependencies.chain.addEveryBlockCheck(() => this.#wantsBlocks())
    dependencies.mempool.added.on(({ hash }) => this.#collectTransaction(hash))
  }

  /** Installs a filter of the hashes of blocks or of pooled transactions, which begins with the given ones. */
  addHashes(kind: 'blocks' | 'transactions', pending: Hash[] = []): bigint {
    return this.#install({ kind, pending })
  }

  addLogs(wanted: LogCriteria): bigint {
    const since = this.#dependencies.chain.head.block.header.number
    return this.#install({ kind: 'logs', wanted, since, pending: [], knownKeys: new Set() })
  }

  remove(id: bigint): boolean {
    this.#dropExpired()
    const rest = new Map(this.#installed.value)
    const existed = rest.delete(id)
    this.#installed.value = rest
    return existed
  }

  has(id: bigint): boolean {
    this.#dropExpired()
    return this.#installed.value.has(id)
  }

  /** Results since the last poll. @throws NodeError 'unknownFilter' */
  *poll(id: bigint): Routine<Readonly<Collected>> {
    const { collected } = this.#touch(id)
    if (collected.kind === 'logs') yield* this.#collectPendingLogs(collected)
    const polled = { ...collected }
    collected.pending = []
    return polled
  }

  /**
   * Criteria of a log filter, with its lower bound: the given one, or the head at its installation.
   * @throws NodeError 'unknownFilter', also for a filter of another kind
   */
  logCriteria(id: bigint): LogCriteria & { readonly from: bigint } {
    const { collected } = this.#touch(id)
    if (collected.kind === 'logs')
      return { ...collected.wanted, from: collected.wanted.from ?? collected.since }
    throw new NodeError(
      'unknownFilter',
      `filter not found: 0x${id.toString(16)} collects ${collected.kind}, not logs`,
      UNKNOWN_FILTER,
    )
  }

  #install(collected: Collected): bigint {
    this.#dropExpired()
    this.#lastId.value += 1n
    const installed = { collected, polledAtMs: this.#dependencies.host.elapsed() }
    this.#installed.value = new Map([...this.#installed.value, [this.#lastId.value, installed]])
    return this.#lastId.value
  }

  #touch(id: bigint): Installed {
    this.#dropExpired()
    const installed = this.#installed.value.get(id)
    if (installed === undefined)
      throw new NodeError('unknownFilter', `filter not found: 0x${id.toString(16)}`, UNKNOWN_FILTER)
    installed.polledAtMs = this.#dependencies.host.elapsed()
    return installed
  }

  #dropExpired(): void {
    const oldest = this.#dependencies.host.elapsed() - this.#dependencies.timeoutMs
    const alive = [...this.#installed.value].filter(([, { polledAtMs }]) => polledAtMs >= oldest)
    if (alive.length < this.#installed.value.size) this.#installed.value = new Map(alive)
  }

  #wantsBlocks(): boolean {
    this.#dropExpired()
    return [...this.#installed.value.values()].some(({ collected }) => collected.kind === 'blocks')
  }

  #collectTransaction(hash: Hash): void {
    for (const { collected } of this.#installed.value.values()) {
      if (collected.kind === 'transactions') collected.pending.push(hash)
    }
  }

  *#collectPendingLogs(collected: CollectedLogs): Routine<void> {
    const { wanted, pending, knownKeys } = collected
    if (!wanted.wantsPending) return
    const { block } = yield* this.#dependencies.pendingBlock()
    const logs = logsOfPendingBlock(block, wanted)
    const byKey = new Map(logs.map((log) => [keyOf(log), log]))
    collected.knownKeys = new Set(byKey.keys())
    for (const [key, log] of byKey)
      if (!knownKeys.has(key)) pending.push({ ...log, removed: false, isPending: true })
  }

  #collectBlocks(change: HeadChange): void {
    if (this.#installed.value.size === 0) return
    this.#dropExpired()
    for (const { collected } of this.#installed.value.values()) {
      if (collected.kind === 'blocks') collectBlocks(collected, change)
      if (collected.kind === 'logs') collectLogs(collected, change)
    }
  }
}

/** Identifies a log by transaction, position and content: in another block its transaction may log other data. */
function keyOf({ log, logIndex, receipt }: BlockLog): string {
  const { address, topics, data } = log
  return [receipt.transaction.hash, logIndex - receipt.firstLogIndex, address, ...topics, toHex(data)].join()
}

/** Blocks that left the chain before a poll are not delivered. Both they and the pending ones are the newest of the chain. */
function collectBlocks({ pending }: Extract<Collected, { pending: Hash[] }>, change: HeadChange): void {
  pending.length = Math.max(0, pending.length - change.removed.length)
  for (const { hash } of change.added) pending.push(hash)
}

/** Logs that left the chain before a poll are not delivered. Delivered logs are delivered again as removed. */
function collectLogs(collected: CollectedLogs, change: HeadChange): void {
  const { wanted } = collected
  if (change.removed.length > 0) addRemovedLogs(collected, change.removed)
  for (const entry of change.added) {
    for (const log of logsIn(entry, wanted)) collected.pending.push({ ...log, removed: false })
  }
}

function addRemovedLogs(collected: CollectedLogs, removed: readonly ChainEntry[]): void {
  const { pending, wanted, since } = collected
  const gone = new Set(removed.map(({ hash }) => hash))
  const undelivered = new Set(pending.filter((log) => !log.removed).map(({ block }) => block.hash))
  const delivered = removed.filter(({ number, hash }) => BigInt(number) > since && !undelivered.has(hash))
  collected.pending = [
    ...pending.filter((log) => log.removed || !gone.has(log.block.hash)),
    ...delivered
      .flatMap((entry) => logsIn(entry, wanted).toReversed())
      .map((log) => ({ ...log, removed: true })),
  ]
  for (const { number } of removed) if (BigInt(number) <= since) collected.since = BigInt(number) - 1n
}

function logsIn({ block, ownReceipts }: ChainEntry, wanted: LogCriteria): readonly BlockLog[] {
  const { wantsMined, from = 0n, to = Infinity } = wanted
  const { number } = block.header
  const isWanted = wantsMined && ownReceipts.length > 0 && number >= from && number <= to
  return isWanted ? logsOfBlock(block, wanted) : []
}
