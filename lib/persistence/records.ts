/** What stands in the lines of a state file. */

import type { Hash } from '../base/hex.ts'
import type { Block } from '../chain/block.ts'
import type { MiningMode } from '../config/mining-mode.ts'
import type { WrittenKey } from '../keystore/account.ts'
import type { Impersonated } from '../keystore/impersonation.ts'
import type { BlockSettingValues } from '../miner/block-settings.ts'
import type { BlobSidecar } from '../evm/sidecar.ts'
import type { Transaction } from '../evm/transaction.ts'
import type { AccountDifference } from '../state/difference.ts'
import type { SnapshotIds } from '../instance/snapshots.ts'

/** Which chain it is. */
export interface ChainRecord {
  readonly kind: 'chain'
  readonly chainId: bigint
  /** Which headers it has, and how its states are hashed. */
  readonly form: string
}

/** A block and the state after it. Entries are numbered in their order, parents first. */
export interface EntryRecord {
  readonly kind: 'entry'
  /** Number of the entry it stands on; absent for the first block. */
  readonly parent?: number
  readonly block: Block
  /** The transactions of a block whose receipts were left out. */
  readonly transactions?: readonly Transaction[]
  /** Accounts that differ from the state after the parent. */
  readonly accounts: readonly AccountDifference[]
}

/** Where a chain stands, beyond its blocks. */
export interface Standing {
  /** Number of the entry of the newest block. */
  readonly head: number
  /** Numbers of entries beside the chain; none in files that do not say. */
  readonly siblings?: readonly number[]
  /** Transactions that wait, in the order they came. */
  readonly pool: readonly Transaction[]
  /** Blobs of pooled transactions, each with the hash of its transaction; empty in files without this member. */
  readonly sidecars?: readonly (readonly [Hash, BlobSidecar])[]
  /** Milliseconds of the chain's clock. */
  readonly nowMs: bigint
  /** Seconds by which it was moved. */
  readonly increased: bigint
  /** What was settled of coming blocks. */
  readonly settings: BlockSettingValues
  /** Who may send without a key; nobody in files that do not say. */
  readonly impersonated?: Impersonated
  /** When blocks are made, where another mode was set than the node was started with. */
  readonly mining?: MiningMode
}

/** The chain as it was when it was written down. */
export interface NowRecord extends Standing {
  readonly kind: 'now'
  /** In files with snapshots. */
  readonly snapshotIds?: SnapshotIds
}

/** A snapshot. */
export interface SnapshotRecord extends Standing {
  readonly kind: 'snapshot'
  readonly id: bigint
  readonly name?: string
  readonly takenAt: number
  readonly parent?: bigint
  /** The accounts of then, in files with keys, where they are not those of the end. */
  readonly keys?: readonly WrittenKey[]
}

/** A key: behind its passphrase as a keystore file, or in the open when it has none. */
export interface KeyRecord extends WrittenKey {
  readonly kind: 'key'
}

/** One line. */
export type StateRecord = ChainRecord | EntryRecord | NowRecord | SnapshotRecord | KeyRecord

/** Members by which a record is told from what is none; its content is vouched for by the check sum and its hashes. */
const MEMBERS: Readonly<Record<StateRecord['kind'], readonly string[]>> = {
  chain: ['chainId', 'form'],
  entry: ['block', 'accounts'],
  now: ['head', 'pool', 'nowMs', 'increased', 'settings', 'siblings'],
  snapshot: ['head', 'pool', 'nowMs', 'increased', 'settings', 'id', 'takenAt'],
  key: ['address'],
}

/** Whether an unpacked line is a record of this version. */
export function isRecord(value: unknown): value is StateRecord {
  if (typeof value !== 'object' || value === null || !('kind' in value)) return false
  const members = new Map<unknown, readonly string[]>(Object.entries(MEMBERS)).get(value.kind)
  return members?.every((member) => member in value) === true
}
