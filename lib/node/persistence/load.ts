/**
 * Loads a state file in place of the current chain. Blocks and states are built while lines are read. The node changes only after
 * all lines were read and checked.
 */

import { NodeError } from '../../base/errors.ts'
import { finish } from '../../base/routine.ts'
import { reasonOf } from '../../base/system-errors.ts'
import type { Block } from '../../chain/block.ts'
import { reservationWith, type BlockReservation } from '../../chain/block-reservation.ts'
import { ChainEntry } from '../../chain/chain-entry.ts'
import type { ForkOrigin } from '../../chain/remote-history.ts'
import { headerHash } from '../../chain/header.ts'
import type { Impersonated } from '../../accounts/impersonation.ts'
import type { CapturedAccounts, SavedAccount, Keystore } from '../../accounts/keystore.ts'
import { recomputeReceipts } from '../../chain/miner/assemble.ts'
import { withDifference } from '../../state/difference.ts'
import { readAnvilState } from './anvil-state.ts'
import { formOf, stateBelow, type PersistedServices } from './dump.ts'
import { unpack, isRecord, invalidState, loadedBlock } from './records.ts'
import type {
  ChainStatus,
  EntryRecord,
  KeyRecord,
  NowRecord,
  RemoteEntryRecord,
  SnapshotRecord,
  StateRecord,
} from './records.ts'

/**
 * Replaces the current chain by a state file's. If the file has snapshots, they replace the existing ones. @throws NodeError
 * 'invalidState' for a different chain id or network, or for blocks that do not match their hashes
 */
export async function loadLines(
  lines: AsyncIterable<string>,
  dependencies: PersistedServices,
): Promise<void> {
  const { entries, now, snapshots, keys } = await read(lines, dependencies)
  if (snapshots.length > 0) dependencies.snapshots.clear()
  const own = dependencies.keystore.capture()
  for (const { id, name, parent, takenAt, keys: snapshotKeys = keys, ...rest } of snapshots) {
    restoreStatus(rest, entries, dependencies)
    setKeys(dependencies.keystore, own, snapshotKeys)
    dependencies.snapshots.add({ id, name, parent, takenAt })
  }
  restoreStatus(now, entries, dependencies)
  if (now.snapshotIds !== undefined) dependencies.snapshots.resume(now.snapshotIds)
  setKeys(dependencies.keystore, own, keys)
}

/** Sets the keystore's accounts: those from before the load, and those of the file. */
function setKeys(keystore: Keystore, own: CapturedAccounts, keys: readonly SavedAccount[]): void {
  keystore.restore(own)
  for (const key of keys) keystore.addSaved(key)
}

/** Replaces the current chain by an Anvil state's. Snapshots remain. @throws NodeError 'invalidState' */
export function loadAnvilState(content: Uint8Array, dependencies: PersistedServices): void {
  const { instance, chain, mempool, miner, clock } = dependencies
  const newest = readAnvilState(content, dependencies)
  instance.replacing.emit(undefined)
  chain.setHead(newest)
  mempool.replace([], chain.height)
  // The settings were meant for blocks after the old head.
  miner.settings.cell.value = { next: {}, later: {} }
  clock.set(newest.block.header.timestamp)
}

async function read(lines: AsyncIterable<string>, dependencies: PersistedServices) {
  const entries: ChainEntry[] = []
  const snapshots: SnapshotRecord[] = []
  const keys: KeyRecord[] = []
  let now: NowRecord | undefined
  let count = 0
  const take = async (line: string): Promise<void> => {
    const record = recordOf(line, count)
    if (count === 0) checkChain(record, dependencies)
    if (record.kind === 'entry') entries.push(await entryOf(record, entries, dependencies))
    else if (record.kind === 'remote') entries.push(remoteEntryOf(record, dependencies))
    else if (record.kind === 'snapshot') snapshots.push(record)
    else if (record.kind === 'key') keys.push(record)
    else if (record.kind === 'now') now = record
    count++
  }
  let failure: NodeError | undefined
  for await (const line of lines) {
    if (failure !== undefined) continue
    try {
      await finish(() => take(line))
    } catch (error) {
      // Reading continues, because a wrong checksum at the end explains more than an error in one line.
      failure =
        error instanceof NodeError
          ? error
          : invalidState(`a line of the state file cannot be read: ${reasonOf(error)}`, { cause: error })
    }
  }
  if (failure !== undefined) throw failure
  if (now === undefined) throw invalidState('the state file has no record of the current chain')
  for (const { head, siblings = [] } of [now, ...snapshots]) {
    for (const number of [head, ...siblings]) entryAt(entries, number)
  }
  return { entries, now, snapshots, keys }
}

function recordOf(line: string, index: number): StateRecord {
  const record = unpack(JSON.parse(line))
  if (isRecord(record)) return record
  throw invalidState(`line ${index + 2} of the state file is unknown to this release`, { code: 'DN-VERSION' })
}

function checkChain(record: StateRecord, { network, chain }: PersistedServices): void {
  if (record.kind !== 'chain') throw invalidState('the state file does not name its chain')
  if (record.chainId !== network.chainId) {
    throw invalidState(
      `the state file is of chain ${record.chainId}, this node runs chain ${network.chainId}`,
      { code: 'DN-OTHER' },
    )
  }
  if (record.form !== formOf(network))
    throw invalidState(
      `the state file is of a ${record.form} network, this node runs a ${formOf(network)} one`,
      { code: 'DN-OTHER' },
    )
  checkOrigin(record.fork, chain.remote?.origin)
}

/** Checks that a file and the node continue the same remote block, or none. @throws NodeError 'invalidState' */
function checkOrigin(ofFile: ForkOrigin | undefined, ofNode: ForkOrigin | undefined): void {
  if (ofFile?.chainId === ofNode?.chainId && ofFile?.blockHash === ofNode?.blockHash) return
  if (ofFile === undefined)
    throw invalidState(
      `the state file is not of a fork, this node continues ${described(ofNode)}: start it without --fork-url`,
      { code: 'DN-OTHER' },
    )
  throw invalidState(
    `the state file is of a fork of ${described(ofFile)} of ${ofFile.url}, this node continues ${described(ofNode)}: start it with --fork-url and --fork-block-number ${ofFile.blockNumber}`,
    { code: 'DN-OTHER' },
  )
}

const described = (origin: ForkOrigin | undefined): string =>
  origin === undefined
    ? 'no remote block'
    : `block ${origin.blockNumber} (${origin.blockHash}) of chain ${origin.chainId}`

async function entryOf(
  record: EntryRecord,
  earlier: readonly ChainEntry[],
  dependencies: PersistedServices,
): Promise<ChainEntry> {
  const { accounts, transactions, reservedTo } = record
  const block = loadedBlock(record.block, dependencies.network.kind.consensus)
  if (headerHash(block.header) !== block.hash) {
    throw invalidState(`block ${block.hash} of the state file does not match its hash`)
  }
  const parent = record.parent === undefined ? undefined : entryAt(earlier, record.parent)
  const reservation = parent && reservationWith(block.header, parent, reservedTo)
  if (parent !== undefined && !follows(block, parent.block, reservation)) {
    throw invalidState(`block ${block.hash} of the state file does not follow its parent`)
  }
  const state = accounts && withDifference(stateBelow(parent), accounts)
  const rest = { state, parent, reservation }
  if (parent === undefined || transactions === undefined) return new ChainEntry({ block, ...rest })
  const receipts = await recomputeReceipts(dependencies, block, parent, transactions)
  return new ChainEntry({ block: { ...block, receipts }, ...rest })
}

function follows({ header, hash }: Block, parent: Block, reservation: BlockReservation | undefined): boolean {
  return reservation === undefined
    ? header.parentHash === parent.hash
    : reservation.make(header.number)?.block.hash === hash
}

/** The remote block, with the file's state. @throws NotLoadedError */
function remoteEntryOf({ number, accounts }: RemoteEntryRecord, { chain }: PersistedServices): ChainEntry {
  const entry = chain.remote?.make(number)
  if (entry === undefined)
    throw invalidState(`the state file has block ${number} of the remote, which is above the fork`)
  return accounts.length === 0 ? entry : entry.withState(withDifference(entry.state, accounts))
}

function entryAt(entries: readonly ChainEntry[], number: number): ChainEntry {
  const entry = entries[number]
  if (entry !== undefined) return entry
  throw invalidState(`the state file refers to entry ${number}, which it does not contain`)
}

const NOT_IMPERSONATED: Impersonated = { accounts: [], isEverybody: false }

function restoreStatus(
  { siblings = [], sidecars = [], impersonated = NOT_IMPERSONATED, ...status }: ChainStatus,
  entries: readonly ChainEntry[],
  dependencies: PersistedServices,
): void {
  const { chain, mempool, clock, miner, impersonation } = dependencies
  dependencies.instance.replacing.emit(undefined)
  dependencies.sidecars.kept.value = new Map(sidecars)
  chain.setHead(entryAt(entries, status.head))
  for (const number of siblings) chain.add(entryAt(entries, number))
  mempool.replace(status.pool, chain.height)
  clock.restore(status)
  miner.settings.cell.value = status.settings
  impersonation.restore(impersonated)
  miner.restoreMode(status.mining)
}
