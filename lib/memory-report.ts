/** Tells how much memory the chains of a node take, by kind. The figures are estimates. */

import { sizeOfEntries } from './chain/chain-size.ts'
import type { ChainSize } from './chain/chain-size.ts'
import type { ChainEntry } from './chain/chain-entry.ts'
import type { Transaction } from './evm/transaction.ts'
import type { ChainMemory } from './chain/chain-memory.ts'
import type { Services } from './services.ts'
import { sizeOfTries } from './state/state-size.ts'

/** Approximate bytes in memory. */
export interface MemoryReport extends ChainSize {
  readonly indexes: number
  readonly pool: number
  readonly snapshots: number
  /** Rebuilt states that are kept for later questions. */
  readonly caches: number
  /** Everything that worlds do not share with the default chain. */
  readonly worlds: number
  /** Sum of the kinds. */
  readonly sum: number
}

/** The services of one chain that take memory. */
type SizedServices = Pick<Services, 'chain' | 'mempool' | 'sidecars' | 'snapshots'>

/** Bytes of the objects of a pooled transaction without its data. */
const TRANSACTION_BYTES = 1500
/** Bytes of a snapshot without the blocks that only it holds. */
const SNAPSHOT_BYTES = 900
/** Bytes of the services of a world without its blocks. */
const WORLD_BYTES = 60_000

/** The report of a node with these worlds. */
export function memoryReport(
  node: SizedServices,
  worlds: readonly SizedServices[],
  { keptTries: { recent } }: ChainMemory,
): MemoryReport {
  const { chain } = node
  const { states, blocks, receipts } = sizeOfEntries([...chain.entriesFrom(0), ...chain.sideBlocks], true)
  const kinds = {
    states: Math.round(states),
    blocks: Math.round(blocks),
    receipts: Math.round(receipts),
    indexes: chain.index.bytes,
    pool: poolSize(node),
    snapshots: Math.round(snapshotsSize(node)),
    caches: Math.round(sumOf(recent.map((content, index) => sizeOfTries(content, recent[index - 1])))),
    worlds: Math.round(sumOf(worlds.map((world) => worldSize(world, node)))),
  }
  return { ...kinds, sum: sumOf(Object.values(kinds)) }
}

const sumOf = (sizes: readonly number[]): number => sizes.reduce((sum, size) => sum + size, 0)

const total = ({ states, blocks, receipts }: ChainSize): number => states + blocks + receipts

function worldSize(world: SizedServices, node: SizedServices): number {
  const own = entriesBeside(world.chain.head, node, new Set())
  const ofBlocks =
    total(sizeOfEntries([...own, ...world.chain.sideBlocks], false)) + world.chain.index.ownBytes
  return WORLD_BYTES + ofBlocks + poolSize(world) + snapshotsSize(world)
}

function poolSize({ mempool, sidecars }: SizedServices): number {
  const sizeOf = ({ data }: Transaction): number => TRANSACTION_BYTES + data.length
  const pooled = [...mempool.all()].map(({ transaction }) => sizeOf(transaction))
  const blobs = [...sidecars.all.values()].flatMap((sidecar) => sidecar.blobs.map(({ length }) => length))
  return sumOf([...pooled, ...blobs])
}

function snapshotsSize(services: SizedServices): number {
  const { chain, snapshots } = services
  const seen = new Set<ChainEntry>()
  const held = snapshots.all.flatMap(({ capture }) =>
    entriesBeside(chain.captured.in(capture), services, seen),
  )
  return snapshots.all.length * SNAPSHOT_BYTES + total(sizeOfEntries(held, false))
}

/** The entries up to this one that a chain does not contain, lowest first, without those that were seen. */
function entriesBeside(highest: ChainEntry, { chain }: SizedServices, seen: Set<ChainEntry>): ChainEntry[] {
  const found: ChainEntry[] = []
  for (let entry: ChainEntry | undefined = highest; entry !== undefined; entry = entry.parent) {
    if (seen.has(entry) || chain.stateEntryAt(BigInt(entry.number)) === entry) break
    seen.add(entry)
    found.push(entry)
  }
  return found.reverse()
}
