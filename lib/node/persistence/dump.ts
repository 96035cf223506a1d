/** Writes a chain to records: blocks with their state differences, pool, clock, snapshots and keys. */

import { present } from '../../base/invariant.ts'
import type { Block } from '../../chain/block.ts'
import type { ChainEntry } from '../../chain/chain-entry.ts'
import { RemoteEntry, type RemoteHistory } from '../../chain/remote-history.ts'
import type { Network } from '../../config/network.ts'
import type { Options } from '../../config/options.ts'
import type { Engine } from '../../evm/engine.ts'
import type { Capture } from '../../chain/instance/chain-instance.ts'
import type { Snapshot } from '../../chain/instance/snapshots.ts'
import { toSavedAccounts, type SavedAccount } from '../../accounts/keystore.ts'
import { differenceOf } from '../../state/difference.ts'
import { StateRoot } from '../../state/state-root.ts'
import type { Services } from '../services.ts'
import { packed, savedBlock } from './records.ts'
import type { ChainStatus, EntryRecord, RemoteEntryRecord, SnapshotRecord, StateRecord } from './records.ts'

export type DumpSelection = ReadonlySet<Options['stateParts'][number]>

/** The parts of a node that a state file contains, and the engine that recomputes receipts that a file leaves out. */
export type PersistedServices = Pick<
  Services,
  | 'instance'
  | 'network'
  | 'chain'
  | 'mempool'
  | 'sidecars'
  | 'clock'
  | 'miner'
  | 'keystore'
  | 'impersonation'
  | 'snapshots'
> & { readonly engine: Engine }

/** Consensus and kind of state trie, which must match between a state file and the node that loads it. */
export const formOf = (network: Network): string => `${network.kind.consensus.name}/merkle-patricia`

/** What records are made from. It does not change with the chain. */
interface DumpContext extends PersistedServices {
  readonly selection: DumpSelection
  /** Entries with their numbers, in file order, parents first. */
  readonly numbers: ReadonlyMap<ChainEntry, number>
  readonly genesis: Block
  readonly remote: RemoteHistory | undefined
}

/**
 * The lines of a state file with the current chain, without later changes. Blocks, the largest part, are immutable and converted to
 * text on demand.
 */
export function dumpLines(dependencies: PersistedServices, selection: DumpSelection): Iterable<string> {
  const { chain, network, instance } = dependencies
  const snapshots = selection.has('snapshots') ? dependencies.snapshots.all : []
  const now = instance.capture()
  const captures = [now, ...snapshots.map(({ capture }) => capture)]
  const heads = captures.map((capture) => chain.captured.in(capture))
  const sideBlocks = captures.flatMap((capture) => sideBlocksIn(capture, { chain, selection }))
  const wanted = [chain.head, ...sideBlocks, ...heads]
  const entries = selection.has('blocks') ? inOrder(wanted) : new Set(wanted)
  const numbers = new Map([...entries].map((entry, number) => [entry, number]))
  const { genesis, remote } = chain
  const context = { ...dependencies, selection, numbers, genesis: genesis.block, remote }
  const keys = selection.has('keystore') ? toSavedAccounts(dependencies.keystore.capture()) : []
  const first: StateRecord = {
    kind: 'chain',
    chainId: network.chainId,
    form: formOf(network),
    ...(remote === undefined ? {} : { fork: remote.origin }),
  }
  return linesOf(first, context, [
    ...snapshots.map((snapshot) => snapshotRecord(snapshot, context, keys)),
    {
      kind: 'now',
      ...statusOf(now, context),
      ...(selection.has('snapshots') ? { snapshotIds: dependencies.snapshots.ids } : {}),
    },
    ...keys.map((key) => ({ kind: 'key' as const, ...key })),
  ])
}

/** The side blocks. They are left out together with the canonical blocks. */
const sideBlocksIn = (
  capture: Capture,
  { chain, selection }: Pick<DumpContext, 'chain' | 'selection'>,
): readonly ChainEntry[] => (selection.has('blocks') ? [...chain.sideBlocksIn(capture)] : [])

function* linesOf(
  first: StateRecord,
  context: DumpContext,
  rest: readonly StateRecord[],
): IterableIterator<string> {
  yield packed(first)
  for (const entry of context.numbers.keys()) yield packed(entryRecord(entry, context))
  yield* rest.map(packed)
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

function entryRecord(entry: ChainEntry, context: DumpContext): EntryRecord | RemoteEntryRecord {
  const { numbers, selection, genesis, remote } = context
  const { block, keptState, parent, reservation } = entry
  if (entry instanceof RemoteEntry) return remoteRecord(entry.history, block.header.number, entry.state)
  if (!selection.has('blocks'))
    return remote === undefined
      ? { kind: 'entry', block: savedBlock(genesis), accounts: differenceOf(StateRoot.empty, entry.state) }
      : remoteRecord(remote, remote.last, entry.state)
  const number = parent === undefined ? undefined : numbers.get(parent)
  return {
    kind: 'entry',
    ...(number === undefined ? {} : { parent: number }),
    ...contentOf(entry, selection),
    ...(reservation === undefined || reservation.last === block.header.number
      ? {}
      : { reservedTo: reservation.last }),
    ...(keptState === undefined ? {} : { accounts: differenceOf(stateBelow(parent), keptState) }),
  }
}

/** The state after the nearest block that has one: the entry or an ancestor. */
export function stateBelow(parent: ChainEntry | undefined): StateRoot {
  for (let entry = parent; entry !== undefined; entry = entry.parent) {
    const state = entry.keptState
    if (state !== undefined) return state
  }
  return StateRoot.empty
}

function remoteRecord(history: RemoteHistory, number: bigint, state: StateRoot): RemoteEntryRecord {
  const { state: unchanged } = present(history.make(number), `remote block ${number}`)
  return { kind: 'remote', number, accounts: differenceOf(unchanged, state) }
}

/** A block with its receipts, its transactions, or neither. Receipts that cannot be recomputed are not left out. */
function contentOf(
  { block, parent }: ChainEntry,
  selection: DumpSelection,
): Pick<EntryRecord, 'block' | 'transactions'> {
  const hasTransactions = selection.has('transactions')
  const canRunAgain = parent?.keptState !== undefined
  if (block.receipts.length === 0 || (hasTransactions && (selection.has('receipts') || !canRunAgain)))
    return { block: savedBlock(block) }
  const bare = savedBlock({ ...block, receipts: [] })
  return hasTransactions
    ? { block: bare, transactions: block.receipts.map(({ transaction }) => transaction) }
    : { block: bare }
}

/** A snapshot. It has keys if the file has keys and they differ from the current ones. */
function snapshotRecord(
  { id, name, parent, takenAt, capture }: Snapshot<unknown>,
  context: DumpContext,
  currentKeys: readonly SavedAccount[],
): SnapshotRecord {
  const { selection, keystore } = context
  const keys = selection.has('keystore') ? toSavedAccounts(keystore.captured.in(capture)) : currentKeys
  return {
    kind: 'snapshot',
    id,
    takenAt,
    ...(name === undefined ? {} : { name }),
    ...(parent === undefined ? {} : { parent }),
    ...statusOf(capture, context),
    ...(packed(keys) === packed(currentKeys) ? {} : { keys }),
  }
}

function statusOf(capture: Capture, context: DumpContext): ChainStatus {
  const { chain, mempool, sidecars, clock, miner, impersonation, numbers } = context
  const numberOf = (entry: ChainEntry): number => present(numbers.get(entry), 'number of an entry')
  const mining = miner.chosenMode.in(capture)
  const pooled = [...mempool.captured.in(capture).byHash.values()]
  const pool = pooled
    .sort((left, right) => left.arrival - right.arrival)
    .map(({ transaction }) => transaction)
  const hashes = new Set(pool.map(({ hash }) => hash))
  // Only blobs of pooled transactions, because blocks contain none.
  const blobs = [...sidecars.kept.in(capture)].filter(([hash]) => hashes.has(hash))
  return {
    head: numberOf(chain.captured.in(capture)),
    siblings: sideBlocksIn(capture, context).map(numberOf),
    pool,
    ...(blobs.length === 0 ? {} : { sidecars: blobs }),
    ...clock.captured.in(capture),
    settings: miner.settings.cell.in(capture),
    impersonated: impersonation.captured.in(capture),
    ...(mining === undefined ? {} : { mining }),
  }
}
