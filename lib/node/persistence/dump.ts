/** Writes a chain to records: blocks with their state differences, pool, clock, snapshots and keys. */

import { present } from '../../base/invariant.ts'
import type { ChainEntry } from '../../chain/chain-entry.ts'
import type { Network } from '../../config/network.ts'
import { consensusOf } from '../../networks/consensus/consensus-of.ts'
import type { Engine } from '../../evm/engine.ts'
import type { Capture } from '../../chain/instance/chain-instance.ts'
import type { Snapshot } from '../../chain/instance/snapshots.ts'
import { toSavedAccounts, type SavedAccount } from '../../accounts/account.ts'
import type { PooledTransaction } from '../../chain/mempool/mempool.ts'
import type { SidecarsByHash } from '../../chain/mempool/sidecars.ts'
import type { Services } from '../services.ts'
import { entryRecord, type DumpSelection, type EntryContext } from './entry-records.ts'
import { pack, type ChainStatus, type SnapshotRecord, type StateRecord } from './records.ts'

/** The parts of a node that a state file contains, and the engine that computes receipts again that a file leaves out. */
export type PersistedServices = Pick<
  Services,
  | 'instance'
  | 'network'
  | 'chain'
  | 'mempool'
  | 'sidecars'
  | 'auxChain'
  | 'clock'
  | 'miner'
  | 'keystore'
  | 'impersonation'
  | 'snapshots'
> & { readonly engine: Engine }

/** Consensus and kind of state trie, which must match between a state file and the node that loads it. */
export const formOf = (network: Network): string => `${consensusOf(network).name}/merkle-patricia`

/**
 * The lines of a state file with the current chain. They do not contain later changes. Blocks, the largest part, are
 * immutable, so they are converted to text on demand.
 */
export function dumpLines(dependencies: PersistedServices, selection: DumpSelection): Iterable<string> {
  const { chain, network } = dependencies
  const snapshots = selection.has('snapshots') ? dependencies.snapshots.all : []
  const heads = snapshots.map(({ capture }) => chain.captured.in(capture))
  // Side blocks are left out together with the canonical blocks.
  const sideBlocks = selection.has('blocks') ? (entries: Iterable<ChainEntry>) => [...entries] : () => []
  const siblings = snapshots.map(({ capture }) => chain.sideBlocksIn(capture))
  const wanted = [chain.head, ...[chain.sideBlocks, ...siblings].flatMap(sideBlocks), ...heads]
  const entries = selection.has('blocks') ? inOrder(wanted) : new Set(wanted)
  const numbers = new Map([...entries].map((entry, number) => [entry, number]))
  const numberOf = (entry: ChainEntry): number => present(numbers.get(entry), 'number of an entry')
  const numbering = {
    of: numberOf,
    sideBlocks: (entries: Iterable<ChainEntry>) => sideBlocks(entries).map(numberOf),
  }
  const keys = selection.has('keystore') ? toSavedAccounts(dependencies.keystore.capture()) : []
  const rest = [
    ...snapshots.map((snapshot) => ({
      ...snapshotRecord(snapshot, dependencies, numbering),
      ...(selection.has('keystore') ? snapshotKeys(snapshot, dependencies, keys) : {}),
    })),
    {
      kind: 'now' as const,
      ...statusOf(dependencies.instance.capture(), dependencies, numbering),
      ...(selection.has('snapshots') ? { snapshotIds: dependencies.snapshots.ids } : {}),
    },
    ...keys.map((key) => ({ kind: 'key' as const, ...key })),
  ]
  return linesOf(
    {
      kind: 'chain',
      chainId: network.chainId,
      form: formOf(network),
      ...(chain.remote === undefined ? {} : { fork: chain.remote.origin }),
    },
    { numbers, selection, genesis: chain.genesis.block, remote: chain.remote },
    rest,
  )
}

function* linesOf(
  first: StateRecord,
  context: EntryContext,
  rest: readonly StateRecord[],
): IterableIterator<string> {
  yield written(first)
  for (const entry of context.numbers.keys()) yield written(entryRecord(entry, context))
  yield* rest.map(written)
}

const written = (record: StateRecord): string => JSON.stringify(pack(record))

interface Numbering {
  readonly of: (entry: ChainEntry) => number
  /** Numbers of side blocks; empty if they are left out. */
  readonly sideBlocks: (entries: Iterable<ChainEntry>) => readonly number[]
}

/** Entries and all their ancestors, parents first, without duplicates. */
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

function snapshotRecord(
  { id, name, parent, takenAt, capture }: Snapshot<unknown>,
  dependencies: PersistedServices,
  numbering: Numbering,
): SnapshotRecord {
  return {
    kind: 'snapshot',
    id,
    takenAt,
    ...(name === undefined ? {} : { name }),
    ...(parent === undefined ? {} : { parent }),
    ...statusOf(capture, dependencies, numbering),
  }
}

function statusOf(
  capture: Capture,
  { chain, mempool, sidecars, clock, miner, impersonation }: PersistedServices,
  numbering: Numbering,
): ChainStatus {
  const mining = miner.chosenMode.in(capture)
  return {
    head: numbering.of(chain.captured.in(capture)),
    siblings: numbering.sideBlocks(chain.sideBlocksIn(capture)),
    ...poolOf(mempool.captured.in(capture).byHash.values(), sidecars.kept.in(capture)),
    ...clock.captured.in(capture),
    settings: miner.settings.cell.in(capture),
    impersonated: impersonation.captured.in(capture),
    ...(mining === undefined ? {} : { mining }),
  }
}

/** The keys of a snapshot; empty if they equal the current keys. */
function snapshotKeys(
  { capture }: Snapshot<unknown>,
  { keystore }: PersistedServices,
  current: readonly SavedAccount[],
): Pick<SnapshotRecord, 'keys'> {
  const keys = toSavedAccounts(keystore.captured.in(capture))
  return JSON.stringify(pack(keys)) === JSON.stringify(pack(current)) ? {} : { keys }
}

function poolOf(
  transactions: Iterable<PooledTransaction>,
  sidecars: SidecarsByHash,
): Pick<ChainStatus, 'pool' | 'sidecars'> {
  const byArrival = [...transactions].sort((left, right) => left.arrival - right.arrival)
  const pool = byArrival.map(({ transaction }) => transaction)
  const hashes = new Set(pool.map(({ hash }) => hash))
  // Only blobs of pooled transactions, because blocks contain none.
  const pooled = [...sidecars].filter(([hash]) => hashes.has(hash))
  return { pool, ...(pooled.length === 0 ? {} : { sidecars: pooled }) }
}
