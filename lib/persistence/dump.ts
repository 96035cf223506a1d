/** A chain written down: every block with what the state after it adds, the pool, the clock, snapshots and keys. */

import type { Chain, ChainEntry } from '../chain/chain.ts'
import type { Network } from '../config/network.ts'
import type { Keystore } from '../keystore/keystore.ts'
import type { Waiting } from '../mempool/mempool.ts'
import type { Mempool } from '../mempool/mempool.ts'
import type { Clock } from '../miner/clock.ts'
import type { Miner } from '../miner/miner.ts'
import type { StateRoot } from '../state/state-root.ts'
import { differenceOf } from '../state/difference.ts'
import type { Snapshots } from '../world/snapshots.ts'
import { pack } from './packing.ts'
import type { EntryRecord, Standing, StateRecord } from './records.ts'

/** What is written down, and read back into. */
export interface PersistentParts {
  readonly network: Network
  readonly chain: Chain
  readonly mempool: Mempool
  readonly clock: Clock
  readonly miner: Pick<Miner, 'settings'>
  readonly keystore: Keystore
  readonly snapshots: Snapshots
  /** The state without accounts. */
  readonly emptyState: StateRoot
}

/** What may be left out. */
export interface DumpSelection {
  /** Transactions and receipts of the blocks; headers are always there. */
  readonly transactions: boolean
  readonly snapshots: boolean
  /** Keys of accounts: those without a passphrase stand in the file in the open. */
  readonly keystore: boolean
}

/** What a network's state has to have in common with the node that loads it. */
export const formOf = ({ kind, stateTrie }: Network): string => `${kind}/${stateTrie}`

/** The lines of a state file. The parts must not change before the last line was read. */
export function* dumpLines(parts: PersistentParts, selection: DumpSelection): IterableIterator<string> {
  for (const record of recordsOf(parts, selection)) yield JSON.stringify(pack(record))
}

function* recordsOf(parts: PersistentParts, selection: DumpSelection): IterableIterator<StateRecord> {
  const { network, chain, snapshots, mempool, clock, miner } = parts
  yield { kind: 'chain', chainId: network.chainId, form: formOf(network) }
  const kept = selection.snapshots ? snapshots.all : []
  const siblings = [...chain.siblings]
  const heads = [chain.head, ...siblings, ...kept.map(({ capture }) => chain.captured.in(capture))]
  const numbers = new Map<ChainEntry, number>()
  for (const entry of inOrder(heads)) {
    yield entryRecord(entry, { numbers, emptyState: parts.emptyState, selection })
    numbers.set(entry, numbers.size)
  }
  const numberOf = (entry: ChainEntry): number => numbers.get(entry) ?? 0
  for (const { id, name, parent, takenAt, capture } of kept) {
    yield {
      ...{ kind: 'snapshot', id, takenAt },
      ...(name === undefined ? {} : { name }),
      ...(parent === undefined ? {} : { parent }),
      ...standing(numberOf(chain.captured.in(capture)), mempool.captured.in(capture).byHash.values()),
      ...clock.captured.in(capture),
      settings: miner.settings.captured.in(capture),
    }
  }
  yield {
    ...{ kind: 'now', siblings: siblings.map(numberOf) },
    ...standing(numberOf(chain.head), mempool.all()),
    ...clock.capture(),
    settings: miner.settings.value,
  }
  if (selection.keystore) {
    for (const key of parts.keystore.written()) yield { kind: 'key', ...key }
  }
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
  readonly numbers: ReadonlyMap<ChainEntry, number>
  readonly emptyState: StateRoot
  readonly selection: DumpSelection
}

function entryRecord({ block, state, parent }: ChainEntry, context: EntryContext): EntryRecord {
  const { numbers, emptyState, selection } = context
  const number = parent === undefined ? undefined : numbers.get(parent)
  return {
    kind: 'entry',
    ...(number === undefined ? {} : { parent: number }),
    block: selection.transactions ? block : { ...block, receipts: [] },
    accounts: differenceOf(parent?.state ?? emptyState, state),
  }
}

function standing(head: number, waiting: Iterable<Waiting>): Pick<Standing, 'head' | 'pool'> {
  const inArrival = [...waiting].sort((left, right) => left.arrival - right.arrival)
  return { head, pool: inArrival.map(({ transaction }) => transaction) }
}
