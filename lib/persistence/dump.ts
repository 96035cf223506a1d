/** A chain written down: every block with what the state after it adds, the pool, the clock, snapshots and keys. */

import type { ChainEntry } from '../chain/chain-entry.ts'
import { present } from '../base/invariant.ts'
import type { Block } from '../chain/block.ts'
import type { Chain } from '../chain/chain.ts'
import type { MiningMode } from '../config/mining-mode.ts'
import type { Network } from '../config/network.ts'
import type { Engine } from '../evm/engine.ts'
import type { Impersonation } from '../keystore/impersonation.ts'
import { writtenAccounts } from '../keystore/account.ts'
import type { WrittenKey } from '../keystore/account.ts'
import type { Keystore } from '../keystore/keystore.ts'
import type { PooledTransaction } from '../mempool/mempool.ts'
import type { Mempool } from '../mempool/mempool.ts'
import type { Sidecars, SidecarsByHash } from '../mempool/sidecars.ts'
import type { Clock } from '../miner/clock.ts'
import type { Miner } from '../miner/miner.ts'
import type { StateRoot } from '../state/state-root.ts'
import { differenceOf } from '../state/difference.ts'
import type { Snapshot, Snapshots } from '../instance/snapshots.ts'
import { pack } from './packing.ts'
import type { EntryRecord, KeyRecord, NowRecord, SnapshotRecord, Standing, StateRecord } from './records.ts'

/** What is written down, and read back into. */
export interface PersistentParts {
  readonly network: Network
  readonly chain: Chain
  readonly mempool: Mempool
  readonly sidecars: Sidecars
  readonly clock: Clock
  readonly miner: Pick<Miner, 'settings' | 'chosenMode' | 'restoreMode'>
  readonly keystore: Keystore
  readonly impersonation: Impersonation
  readonly snapshots: Snapshots
  /** The state without accounts. */
  readonly emptyState: StateRoot
  /** Makes receipts again that were left out. */
  readonly engine: Engine
}

/** What may be left out. */
export interface DumpSelection {
  /** Blocks; without them the chain that is loaded is at its genesis, with the accounts as they stand. */
  readonly blocks: boolean
  /** Transactions of the blocks; without them there are no receipts either. */
  readonly transactions: boolean
  /** Receipts of transactions; those that are left out are made again when the chain is loaded. */
  readonly receipts: boolean
  readonly snapshots: boolean
  /** Keys of accounts: those without a passphrase stand in the file in the open. */
  readonly keystore: boolean
}

/** What a network's state has to have in common with the node that loads it. */
export const formOf = ({ kind, stateTrie }: Network): string => `${kind}/${stateTrie}`

/**
 * The lines of a state file that holds the chain as it is now: what happens while they are read is not in them. Blocks,
 * by far the most of it, are turned into text only as they are read, for nothing changes them any more.
 */
export function dumpLines(parts: PersistentParts, selection: DumpSelection): Iterable<string> {
  const { chain, network, emptyState } = parts
  const snapshots = selection.snapshots ? parts.snapshots.all : []
  const heads = snapshots.map(({ capture }) => chain.captured.in(capture))
  // Without the blocks they lost their place to, they stand beside nothing.
  const beside = selection.blocks ? (entries: Iterable<ChainEntry>) => [...entries] : () => []
  const siblings = snapshots.map(({ capture }) => chain.siblingsIn(capture))
  const wanted = [chain.head, ...[chain.siblings, ...siblings].flatMap(beside), ...heads]
  const numbers = numbersOf(selection.blocks ? inOrder(wanted) : new Set(wanted))
  const numberOf = (entry: ChainEntry): number => present(numbers.get(entry), 'number of an entry')
  const numbering = { of: numberOf, beside: (entries: Iterable<ChainEntry>) => beside(entries).map(numberOf) }
  const keys = selection.keystore ? writtenAccounts(parts.keystore.capture()) : []
  const rest = [
    ...snapshots.map((snapshot) => ({
      ...snapshotRecord(snapshot, parts, numbering),
      ...(selection.keystore ? keysOfThen(snapshot, parts, keys) : {}),
    })),
    { ...nowRecord(parts, numbering), ...(selection.snapshots ? { snapshotIds: parts.snapshots.ids } : {}) },
    ...keys.map(keyRecord),
  ]
  return textOf(
    { kind: 'chain', chainId: network.chainId, form: formOf(network) },
    { numbers, emptyState, selection, genesis: chain.genesis.block },
    rest,
  )
}

function* textOf(
  first: StateRecord,
  context: EntryContext,
  rest: readonly StateRecord[],
): IterableIterator<string> {
  yield written(first)
  for (const entry of context.numbers.keys()) yield written(entryRecord(entry, context))
  yield* rest.map(written)
}

const written = (record: StateRecord): string => JSON.stringify(pack(record))

/** Entries in the order in which they are written, parents first, each with its number. */
type Numbers = ReadonlyMap<ChainEntry, number>

/** What records call entries. */
interface Numbering {
  readonly of: (entry: ChainEntry) => number
  /** Of those beside the chain, as far as they are written. */
  readonly beside: (entries: Iterable<ChainEntry>) => readonly number[]
}

function numbersOf(entries: Iterable<ChainEntry>): Numbers {
  return new Map([...entries].map((entry, number) => [entry, number]))
}

/** Entries and all that they stand on, parents first, each once. */
function* inOrder(heads: readonly ChainEntry[]): IterableIterator<ChainEntry> {
  const seen = new Set<ChainEntry>()
  for (const head of heads) {
    const path: ChainEntry[] = []
    for (
      let entry: ChainEntry | undefined = head;
      entry !== undefined && !seen.has(entry);
      entry = entry.parent
    ) {
      path.push(entry)
      seen.add(entry)
    }
    yield* path.reverse()
  }
}

interface EntryContext {
  readonly numbers: Numbers
  readonly emptyState: StateRoot
  readonly selection: DumpSelection
  readonly genesis: Block
}

function entryRecord({ block, state, parent }: ChainEntry, context: EntryContext): EntryRecord {
  const { numbers, emptyState, selection, genesis } = context
  if (!selection.blocks) return { kind: 'entry', block: genesis, accounts: differenceOf(emptyState, state) }
  const number = parent === undefined ? undefined : numbers.get(parent)
  return {
    kind: 'entry',
    ...(number === undefined ? {} : { parent: number }),
    ...contentOf(block, selection),
    accounts: differenceOf(parent?.state ?? emptyState, state),
  }
}

/** A block, with the receipts or the transactions alone, as wanted. */
function contentOf(
  block: Block,
  { transactions, receipts }: DumpSelection,
): Pick<EntryRecord, 'block' | 'transactions'> {
  if (block.receipts.length === 0 || (transactions && receipts)) return { block }
  const bare = { ...block, receipts: [] }
  return transactions
    ? { block: bare, transactions: block.receipts.map(({ transaction }) => transaction) }
    : { block: bare }
}

function snapshotRecord(
  { id, name, parent, takenAt, capture }: Snapshot<unknown>,
  { chain, mempool, sidecars, clock, miner, impersonation }: PersistentParts,
  numbering: Numbering,
): SnapshotRecord {
  const head = chain.captured.in(capture)
  return {
    kind: 'snapshot',
    id,
    takenAt,
    siblings: numbering.beside(chain.siblingsIn(capture)),
    ...(name === undefined ? {} : { name }),
    ...(parent === undefined ? {} : { parent }),
    ...standing(numbering.of(head), mempool.captured.in(capture).byHash.values(), sidecars.in(capture)),
    ...clock.captured.in(capture),
    settings: miner.settings.captured.in(capture),
    impersonated: impersonation.captured.in(capture),
    ...chosen(miner.chosenMode.in(capture)),
  }
}

function nowRecord(
  { chain, mempool, sidecars, clock, miner, impersonation }: PersistentParts,
  numbering: Numbering,
): NowRecord {
  return {
    kind: 'now',
    siblings: numbering.beside(chain.siblings),
    ...standing(numbering.of(chain.head), mempool.all(), sidecars.all),
    ...clock.capture(),
    settings: miner.settings.value,
    impersonated: impersonation.value,
    ...chosen(miner.chosenMode.value),
  }
}

const chosen = (mining: MiningMode | undefined): Pick<Standing, 'mining'> =>
  mining === undefined ? {} : { mining }

/** The accounts of a snapshot, unless they are the present ones. */
function keysOfThen(
  { capture }: Snapshot<unknown>,
  { keystore }: PersistentParts,
  present: readonly WrittenKey[],
): Pick<SnapshotRecord, 'keys'> {
  const keys = writtenAccounts(keystore.captured.in(capture))
  return JSON.stringify(pack(keys)) === JSON.stringify(pack(present)) ? {} : { keys }
}

const keyRecord = (key: WrittenKey): KeyRecord => ({ kind: 'key', ...key })

function standing(
  head: number,
  waiting: Iterable<PooledTransaction>,
  sidecars: SidecarsByHash,
): Pick<Standing, 'head' | 'pool' | 'sidecars'> {
  const inArrival = [...waiting].sort((left, right) => left.arrival - right.arrival)
  const pool = inArrival.map(({ transaction }) => transaction)
  const hashes = new Set(pool.map(({ hash }) => hash))
  // Blocks contain no blobs, and neither do their records.
  const pooled = [...sidecars].filter(([hash]) => hashes.has(hash))
  return { head, pool, ...(pooled.length === 0 ? {} : { sidecars: pooled }) }
}
