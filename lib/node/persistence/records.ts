/** The records in a state file's lines, and their conversion to JSON: bigints and bytes become marked strings. */

import { equalBytes, fromHex, toHex, toQuantity, type Hash } from '../../base/hex.ts'
import { isJsonObject } from '../../base/json-text.ts'
import type { Block } from '../../chain/block.ts'
import type { Consensus, Header } from '../../networks/consensus/consensus.ts'
import type { ForkOrigin } from '../../chain/remote-history.ts'
import type { MiningMode } from '../../config/mining-mode.ts'
import type { SavedAccount } from '../../accounts/keystore.ts'
import type { Impersonated } from '../../accounts/impersonation.ts'
import type { BlockSettingValues } from '../../chain/miner/block-settings.ts'
import type { BlobSidecar, Transaction } from '../../evm/transaction.ts'
import type { AccountDifference } from '../../state/account.ts'
import type { SnapshotIds } from '../../chain/instance/snapshots.ts'
import { NodeError, type ErrorDetails } from '../../base/errors.ts'
import { InvariantError } from '../../base/invariant.ts'
import { EMPTY_BLOOM } from '../../evm/outcome.ts'

/** The error of a state file that cannot be used. */
export const invalidState = (message: string, details?: ErrorDetails): NodeError =>
  new NodeError('invalidState', message, details)

export interface ChainRecord {
  readonly kind: 'chain'
  readonly chainId: bigint
  /** Consensus and state trie. */
  readonly form: string
  /** The remote block that the chain continues; absent without a fork. */
  readonly fork?: ForkOrigin
}

/** A header without its consensus, which the chain's network determines. The consensus names its own fields. */
type SavedHeader = Omit<Header, 'consensus' | 'own'> & Readonly<Record<string, unknown>>

interface SavedBlock extends Omit<Block, 'header' | 'uncles'> {
  readonly header: SavedHeader
  readonly uncles: readonly SavedHeader[]
}

const savedHeader = ({ consensus: { savedAs = 'own' }, own, ...header }: Header): SavedHeader =>
  own === undefined ? header : { ...header, [savedAs]: own }

export const savedBlock = ({ header, uncles, ...block }: Block): SavedBlock => ({
  ...block,
  header: savedHeader(header),
  uncles: uncles.map(savedHeader),
})

/** Moves the own fields out of a header that was read only for this. */
function loadedHeader(header: SavedHeader, consensus: Consensus): Header {
  const { savedAs = 'own' } = consensus
  const own = header[savedAs]
  Reflect.deleteProperty(header, savedAs)
  return { consensus, ...header, ...(isJsonObject(own) && { own }) }
}

export const loadedBlock = ({ header, uncles, ...block }: SavedBlock, consensus: Consensus): Block => ({
  ...block,
  header: loadedHeader(header, consensus),
  uncles: uncles.map((uncle) => loadedHeader(uncle, consensus)),
})

/** A block and the state after it. Entries are numbered in the order of the file, parents first. */
export interface EntryRecord {
  readonly kind: 'entry'
  /** Number of the parent entry; absent for the first block. */
  readonly parent?: number
  readonly block: SavedBlock
  /** Number of the last block of the block's reservation, if the block is not the last one. */
  readonly reservedTo?: bigint
  /** The block's transactions, if the file leaves out its receipts. */
  readonly transactions?: readonly Transaction[]
  /** Accounts that differ from the nearest ancestor with a state, or from an empty state. Absent if the state was dropped. */
  readonly accounts?: readonly AccountDifference[]
}

/** The values of a chain besides its blocks, now or at a snapshot. */
export interface ChainStatus {
  /** Number of the entry of the newest block. */
  readonly head: number
  /** Numbers of the side blocks; empty if absent. */
  readonly siblings?: readonly number[]
  /** Pooled transactions, in order of arrival. */
  readonly pool: readonly Transaction[]
  /** Blobs of pooled transactions, each with the hash of its transaction; empty if absent. */
  readonly sidecars?: readonly (readonly [Hash, BlobSidecar])[]
  /** Time of the chain's clock, in milliseconds since the epoch. */
  readonly nowMs: bigint
  /** Seconds by which the clock was increased. */
  readonly increased: bigint
  readonly settings: BlockSettingValues
  /** Impersonated accounts; none if absent. */
  readonly impersonated?: Impersonated
  readonly mining?: MiningMode
}

export interface NowRecord extends ChainStatus {
  readonly kind: 'now'
  /** Present in files with snapshots. */
  readonly snapshotIds?: SnapshotIds
}

export interface SnapshotRecord extends ChainStatus {
  readonly kind: 'snapshot'
  readonly id: bigint
  readonly name?: string
  readonly takenAt: number
  readonly parent?: bigint
  /** Keys at the time of the snapshot, in files with keys; absent if they equal the current ones. */
  readonly keys?: readonly SavedAccount[]
}

/** A key: encrypted as a keystore file, or unencrypted if it has no passphrase. */
export interface KeyRecord extends SavedAccount {
  readonly kind: 'key'
}

/** A remote block that the chain continues. It is numbered among the entries. */
export interface RemoteEntryRecord {
  readonly kind: 'remote'
  readonly number: bigint
  /** Accounts that differ from the state of the remote. */
  readonly accounts: readonly AccountDifference[]
}

/** One line. */
export type StateRecord =
  | ChainRecord
  | EntryRecord
  | RemoteEntryRecord
  | NowRecord
  | SnapshotRecord
  | KeyRecord

/** Required members of each kind of record. Checksum and hashes guarantee their content. */
const MEMBERS: Readonly<Record<StateRecord['kind'], readonly string[]>> = {
  chain: ['chainId', 'form'],
  entry: ['block'],
  remote: ['number', 'accounts'],
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

/** First character of marked strings. An ordinary string that starts with it gets a mark too. */
const MARK = '~'
const TEXT = '~t'
const NUMBER = '~n'
const BYTES = '~b'
/** The empty bloom. Unpacked receipts share one object for it. */
const NO_LOGS = '~0'

/** The JSON text of a value with bigints and bytes as marked strings. */
export const packed = (value: unknown): string => JSON.stringify(value, packMember)

function packMember(this: Readonly<Record<string, unknown>>, name: string): unknown {
  // `value` would not do, because JSON has already converted Buffers there.
  const value = this[name]
  if (typeof value === 'bigint') return `${NUMBER}${toQuantity(value)}`
  if (typeof value === 'string') return value.startsWith(MARK) ? `${TEXT}${value}` : value
  if (!(value instanceof Uint8Array)) return value
  return equalBytes(value, EMPTY_BLOOM) ? NO_LOGS : `${BYTES}${toHex(value)}`
}

export function unpack(value: unknown): unknown {
  if (typeof value === 'string') return value.startsWith(MARK) ? unpackText(value) : value
  if (Array.isArray(value)) return value.map(unpack)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, unpack(member)]))
}

function unpackText(text: string): unknown {
  const [mark, rest] = [text.slice(0, 2), text.slice(2)]
  switch (mark) {
    case TEXT:
      return rest
    case NUMBER:
      return BigInt(rest)
    case BYTES:
      return fromHex(rest)
    case NO_LOGS:
      return EMPTY_BLOOM
    default:
      throw new InvariantError(`packed text with the unknown mark ${mark}`)
  }
}
