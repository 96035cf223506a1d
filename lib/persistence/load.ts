/**
 * A written chain put in the place of the one there is. Lines become blocks and states as they are read; everything is
 * read and checked before anything changes.
 */

import type { ChainEntry } from '../chain/chain-entry.ts'
import { NodeError } from '../base/errors.ts'
import type { Block } from '../chain/block.ts'
import { headerHash } from '../chain/header.ts'
import { leapBetween } from '../chain/leap.ts'
import type { Leap } from '../chain/leap.ts'
import type { CapturedAccounts, WrittenKey } from '../keystore/account.ts'
import type { Impersonated } from '../keystore/impersonation.ts'
import type { Keystore } from '../keystore/keystore.ts'
import { receiptsAgain } from '../miner/receipts-again.ts'
import { withDifference } from '../state/difference.ts'
import { readAnvilState } from './anvil-state.ts'
import { reasonOf } from './archive.ts'
import { formOf } from './dump.ts'
import type { PersistentParts } from './dump.ts'
import { unpack } from './packing.ts'
import { isRecord } from './records.ts'
import type { EntryRecord, KeyRecord, NowRecord, SnapshotRecord, Standing, StateRecord } from './records.ts'

/** A state file, read and checked. */
interface Loaded {
  readonly entries: readonly ChainEntry[]
  readonly now: NowRecord
  readonly snapshots: readonly SnapshotRecord[]
  readonly keys: readonly KeyRecord[]
}

/**
 * Puts the written chain in the place of the present one. Snapshots in the file replace those there are.
 * @throws NodeError 'invalidState' for lines of another chain or with blocks that are not what their hashes say
 */
export async function loadLines(lines: AsyncIterable<string>, parts: PersistentParts): Promise<void> {
  const { entries, now, snapshots, keys } = await read(lines, parts)
  if (snapshots.length > 0) parts.snapshots.clear()
  const own = parts.keystore.capture()
  for (const { id, name, parent, takenAt, keys: ofThen = keys, ...place } of snapshots) {
    stand(place, entries, parts)
    takeKeys(parts.keystore, own, ofThen)
    parts.snapshots.add({ id, name, parent, takenAt })
  }
  stand(now, entries, parts)
  if (now.snapshotIds !== undefined) parts.snapshots.resume(now.snapshotIds)
  takeKeys(parts.keystore, own, keys)
}

/** Adds the accounts of a file to those that the keystore had before. */
function takeKeys(keystore: Keystore, own: CapturedAccounts, keys: readonly WrittenKey[]): void {
  keystore.restore(own)
  for (const key of keys) keystore.takeWritten(key)
}

/**
 * Puts the chain of a state of Anvil in the place of the present one. Snapshots stay.
 * @throws NodeError 'invalidState'
 */
export function loadAnvilState(content: Uint8Array, parts: PersistentParts): void {
  const { network, chain, mempool, miner, clock } = parts
  const newest = readAnvilState(content, network, chain.genesis.block)
  chain.goTo(newest)
  mempool.replace([])
  // Settings of the next block were meant for the block after the old head.
  miner.settings.restore({ next: {}, later: {} })
  clock.set(newest.block.header.timestamp)
}

async function read(lines: AsyncIterable<string>, parts: PersistentParts): Promise<Loaded> {
  const reader = new Reader(parts)
  let failure: NodeError | undefined
  for await (const line of lines) {
    if (failure !== undefined) continue
    try {
      reader.take(line)
    } catch (error) {
      // That the file was changed, which only its end tells, says more than what is wrong with a line of it.
      failure = error instanceof NodeError ? error : unreadable(error)
    }
  }
  if (failure !== undefined) throw failure
  return reader.loaded()
}

const unreadable = (cause: unknown): NodeError =>
  new NodeError('invalidState', `a line of the state file cannot be read: ${reasonOf(cause)}`, { cause })

/** Makes of the lines what they say. */
class Reader {
  readonly #parts: PersistentParts
  readonly #entries: ChainEntry[] = []
  readonly #snapshots: SnapshotRecord[] = []
  readonly #keys: KeyRecord[] = []
  #now: NowRecord | undefined
  #count = 0

  constructor(parts: PersistentParts) {
    this.#parts = parts
  }

  take(line: string): void {
    const record = recordOf(line, this.#count)
    if (this.#count++ === 0) checkChain(record, this.#parts)
    if (record.kind === 'entry') this.#entries.push(entryOf(record, this.#entries, this.#parts))
    else if (record.kind === 'snapshot') this.#snapshots.push(record)
    else if (record.kind === 'key') this.#keys.push(record)
    else if (record.kind === 'now') this.#now = record
  }

  loaded(): Loaded {
    const [now, snapshots] = [this.#now, this.#snapshots]
    if (now === undefined)
      throw new NodeError('invalidState', 'the state file does not say where its chain stands')
    for (const { head, siblings = [] } of [now, ...snapshots]) {
      for (const number of [head, ...siblings]) at(this.#entries, number)
    }
    return { entries: this.#entries, now, snapshots, keys: this.#keys }
  }
}

function recordOf(line: string, index: number): StateRecord {
  const record = unpack(JSON.parse(line))
  if (isRecord(record)) return record
  throw new NodeError('invalidState', `line ${index + 2} of the state file is none that this release knows`)
}

function checkChain(record: StateRecord, { network }: PersistentParts): void {
  if (record.kind !== 'chain') throw new NodeError('invalidState', 'the state file does not name its chain')
  if (record.chainId !== network.chainId) {
    throw new NodeError(
      'invalidState',
      `the state file is of chain ${record.chainId}, this node runs chain ${network.chainId}`,
    )
  }
  if (record.form === formOf(network)) return
  throw new NodeError(
    'invalidState',
    `the state file is of a ${record.form} network, this node runs a ${formOf(network)} one`,
  )
}

function entryOf(record: EntryRecord, earlier: readonly ChainEntry[], parts: PersistentParts): ChainEntry {
  const { block, accounts, transactions } = record
  if (headerHash(block.header) !== block.hash) {
    throw new NodeError('invalidState', `block ${block.hash} of the state file is not what its hash says`)
  }
  const parent = record.parent === undefined ? undefined : at(earlier, record.parent)
  const leap = parent && leapBetween(parent, block.header)
  if (parent !== undefined && !follows(block, parent.block, leap)) {
    throw new NodeError('invalidState', `block ${block.hash} of the state file does not follow its parent`)
  }
  const state = withDifference(parent?.state ?? parts.emptyState, accounts)
  const place = { state, parent, ...(leap === undefined ? {} : { leap }) }
  if (parent === undefined || transactions === undefined) return { block, ...place }
  const receipts = receiptsAgain(parts, block, parent, transactions)
  return { block: { ...block, receipts }, ...place }
}

function follows({ header, hash }: Block, parent: Block, leap: Leap | undefined): boolean {
  return leap === undefined ? header.parentHash === parent.hash : leap.end.block.hash === hash
}

function at(entries: readonly ChainEntry[], number: number): ChainEntry {
  const entry = entries[number]
  if (entry !== undefined) return entry
  throw new NodeError('invalidState', `the state file names a block ${number} that is not in it`)
}

const NOBODY: Impersonated = { accounts: [], isEverybody: false }

/** Brings chain, pool and clock to where they stood. */
function stand(
  {
    head,
    siblings = [],
    pool,
    sidecars = [],
    nowMs,
    increased,
    settings,
    impersonated = NOBODY,
    mining,
  }: Standing,
  entries: readonly ChainEntry[],
  parts: PersistentParts,
): void {
  const { chain, mempool, clock, miner, impersonation } = parts
  parts.sidecars.replace(new Map(sidecars))
  chain.goTo(at(entries, head))
  for (const number of siblings) chain.add(at(entries, number))
  mempool.replace(pool)
  clock.restore({ nowMs, increased })
  miner.settings.restore(settings)
  impersonation.restore(impersonated)
  miner.restoreMode(mining)
}
