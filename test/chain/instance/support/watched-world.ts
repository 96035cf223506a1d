/** Observes a world for random commands: its earlier results, and its expected snapshots. */

import { toQuantity } from '../../../../lib/base/hex.ts'
import type { ChainEntry } from '../../../../lib/chain/chain-entry.ts'
import type { Node } from '../../../../lib/node/node.ts'
import type { WholeDispatcher } from '../../../support/node.ts'
import { fingerprint, glance } from '../../../support/fingerprint.ts'
import { dispatcherOf } from '../../../support/node.ts'
import { drawsFrom } from '../../../support/random-draws.ts'
import type { Draw } from '../../../support/random-draws.ts'
import { readRequestsOf } from '../../../support/read-params.ts'
import type { Kind, ReadRequest } from '../../../support/read-params.ts'

/** Requests and their results at a time. */
export interface Observation {
  readonly requests: readonly ReadRequest[]
  readonly answers: readonly string[]
  /** Cells that a revert restores but no result shows, such as impersonated accounts, by name. Empty if not observed. */
  readonly cells: Readonly<Record<string, string>>
  /** Methods that find blocks and transactions, with each known hash. */
  readonly known: ReadonlySet<string>
}

/** An expected snapshot. */
export interface ExpectedSnapshot {
  readonly name: string | undefined
  /** Observation directly before the snapshot. */
  readonly observation: Observation
}

/** Checks that there are no differences. @throws Error with the first ones */
export function expectNone(what: string, differences: readonly string[]): void {
  if (differences.length > 0) throw new Error(`${what}: ${differences.slice(0, 5).join('\n')}`)
}

/** Checks that two values are equal. @throws Error when they differ */
export function expectSame(what: string, found: unknown, expected: unknown): void {
  if (found !== expected) throw new Error(`${what}: expected ${String(expected)}, got ${String(found)}`)
}

/** Groups of results that a revert restores. */
const RESTORED: readonly Kind[] = ['chain', 'running']
const ALL: readonly Kind[] = [...RESTORED, 'kept']

/** One world of a node. */
export class WatchedWorld {
  readonly name: string
  readonly node: Node
  #beginning: Observation | undefined
  #snapshots: ReadonlyMap<bigint, ExpectedSnapshot> = new Map()
  readonly #dispatcher: WholeDispatcher
  #glance: string | undefined
  /** The latest observation, unless something has happened since. */
  #latest: { readonly observation: Observation; readonly kept: Readonly<Record<string, string>> } | undefined
  /** What was known in any observation, as in `Observation`. */
  readonly #everKnown = new Set<string>()

  private constructor(name: string, node: Node) {
    this.name = name
    this.node = node
    const subscriber = node.subscriptions.connect(() => undefined)
    this.#dispatcher = dispatcherOf(node, { subscriber })
    this.#glance = glance(node.instance)
  }

  /** Starts to observe a world. */
  static async watch(name: string, node: Node): Promise<WatchedWorld> {
    const world = new WatchedWorld(name, node)
    world.#beginning = await world.look(drawsFrom(0))
    return world
  }

  /** Observation that a reset restores. */
  get beginning(): Observation {
    return this.#beginning!
  }

  call(method: string, params: readonly unknown[]): Promise<unknown> {
    return this.#dispatcher.call(method, params, this.node.network.dialect)
  }

  /** The expected snapshots by id, oldest first. */
  get snapshots(): ReadonlyMap<bigint, ExpectedSnapshot> {
    return this.#snapshots
  }

  /** Sets the expected snapshots and compares them with the world's list. */
  async expectSnapshots(snapshots: Iterable<readonly [bigint, ExpectedSnapshot]>): Promise<void> {
    this.#snapshots = new Map(snapshots)
    const listed = (await this.call('dev_snapshots', [])) as { id: string; name: string | null }[]
    const found = listed.map(({ id, name }) => [id, name])
    const expected = [...this.#snapshots].map(([id, { name }]) => [toQuantity(id), name ?? null])
    expectSame('list of snapshots', JSON.stringify(found), JSON.stringify(expected))
  }

  /** Id of an expected snapshot, by id or name. */
  idOf(ref: string): bigint | undefined {
    return [...this.#snapshots].find(([id, { name }]) => name === ref || toQuantity(id) === ref)?.[0]
  }

  /** Observes the groups of results. */
  async look(draw: Draw, kinds: readonly Kind[] = RESTORED): Promise<Observation> {
    const requests = readRequestsOf(this.node, draw, kinds)
    const cells = kinds.includes('running') ? this.cells('restored') : {}
    return { requests, answers: await this.#answers(requests), cells, known: this.#known() }
  }

  /** Results of the groups that differ from an observation. */
  async changesSince(
    { requests, answers, cells }: Observation,
    kinds: readonly Kind[] = RESTORED,
  ): Promise<readonly string[]> {
    const asked = requests
      .map(({ kind }, index) => ({ kind, index }))
      .filter(({ kind }) => kinds.includes(kind))
    const now = await this.#answers(asked.map(({ index }) => requests[index]!))
    const changed = asked.flatMap(({ index }, position) => difference(answers[index]!, now[position]!))
    return [...changed, ...differences(cells, this.cells('restored'))]
  }

  /** Blocks and transactions that are still found, of all that were known after an observation or before this revert. */
  async foundBeyond({ known }: Observation): Promise<readonly string[]> {
    const found: string[] = []
    for (const lookup of this.#everKnown) {
      if (known.has(lookup)) continue
      const [method, hash] = lookup.split(' ')
      if ((await this.call(method!, [hash])) !== null) found.push(lookup)
    }
    return found
  }

  /** Lookups of the canonical and side blocks, and of the transactions in them and in the pool. */
  #known(): ReadonlySet<string> {
    const { chain, mempool } = this.node
    const entries: ChainEntry[] = [...chain.sideBlocks]
    for (let entry: ChainEntry | undefined = chain.head; entry !== undefined; entry = entry.parent)
      entries.push(entry)
    const mined = entries.flatMap(({ block }) => block.receipts)
    const transactions = [...mined, ...mempool.all()].map(({ transaction }) => transaction.hash)
    const known = new Set([
      ...entries.map(({ block }) => `eth_getBlockByHash ${block.hash}`),
      ...transactions.flatMap((hash) => [
        `eth_getTransactionByHash ${hash}`,
        `eth_getTransactionReceipt ${hash}`,
      ]),
    ])
    for (const lookup of known) this.#everKnown.add(lookup)
    return known
  }

  /** The cells of one sort, as text. */
  cells(sort: CellSort): Readonly<Record<string, string>> {
    const all = Object.entries(fingerprint(this.node.instance))
    return Object.fromEntries(all.filter(([name]) => (CELLS[name] ?? 'restored') === sort))
  }

  /** Whether the world was not observed after the last command, so that reserved blocks are not materialized. */
  get isUnseen(): boolean {
    return this.#glance === undefined
  }

  /** Notes a command in this world; `isUnseen` prevents an observation, which would materialize reserved blocks. */
  touch({ isUnseen = false } = {}): void {
    this.#latest = undefined
    this.#glance = isUnseen ? undefined : glance(this.node.instance)
  }

  /** Cells that changed since the last command in this world. */
  strayCells(): readonly string[] {
    if (this.#glance === undefined) return []
    const before = new Set(this.#glance.split('\n'))
    return glance(this.node.instance)
      .split('\n')
      .filter((line) => !before.has(line))
  }

  /** Results and cells that changed without a command in this world. The first call after a command only stores them. */
  async strayAnswers(draw: Draw): Promise<readonly string[]> {
    const latest = this.#latest
    if (latest === undefined) {
      this.#latest = { observation: await this.look(draw, ALL), kept: this.cells('kept') }
      return []
    }
    return [
      ...(await this.changesSince(latest.observation, ALL)),
      ...differences(latest.kept, this.cells('kept')),
    ]
  }

  async #answers(requests: readonly ReadRequest[]): Promise<readonly string[]> {
    const answers: string[] = []
    for (const { method, params } of requests) {
      const answer = await this.call(method, params).catch((error: unknown) => String(error))
      answers.push(`${method} ${JSON.stringify(params)}: ${JSON.stringify(answer ?? null, withoutId)}`)
    }
    return answers
  }
}

/** Leaves out the id of the chain, which a reset changes. */
const withoutId = (key: string, value: unknown): unknown => (key === 'instanceId' ? undefined : value)

type CellSort = 'restored' | 'kept' | 'followed' | 'relative'

/**
 * Cells that a revert does not simply restore, with their rule (architecture, the table of cells). All other cells must be
 * restored.
 */
const CELLS: Readonly<Record<string, CellSort>> = {
  // Relative to the wall clock: the value differs for the same time, which results show.
  clock: 'relative',
  // Unlocked accounts have an end time, which a revert shifts.
  keys: 'relative',
  // Follow the revert by their own rules, which the commands check by their own list.
  filters: 'followed',
  snapshots: 'followed',
  currentSnapshot: 'followed',
  // Not chain state.
  hashrates: 'kept',
  bannedAddresses: 'kept',
  namedContracts: 'kept',
  logging: 'kept',
  // Subscriptions belong to connections, filters to clients; ids are never reused.
  subscriptions: 'kept',
  lastFilterId: 'kept',
  lastSnapshotId: 'kept',
  // Counts the resets for the id of the chain.
  resets: 'followed',
}

/** Cells whose values differ. */
export function differences(
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
): readonly string[] {
  const of = (name: string, text = 'missing') => `cell ${name}: ${text}`
  return Object.keys(before).flatMap((name) => difference(of(name, before[name]), of(name, after[name])))
}

function difference(before: string, after: string): readonly string[] {
  return before === after ? [] : [`${excerpt(before, after)}\n  became ${excerpt(after, before)}`]
}

/** Maximum number of characters shown around a difference. */
const MAX_SHOWN = 300

function excerpt(text: string, other: string): string {
  let same = 0
  while (same < text.length && text[same] === other[same]) same++
  if (text.length <= MAX_SHOWN) return text
  const from = Math.max(0, same - 100)
  return `${text.slice(0, 80)} ... at ${from}: ${text.slice(from, from + MAX_SHOWN)}`
}
