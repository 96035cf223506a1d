/** Converts blocks to the records of a state file, and checks the remote block that a file continues. */

import { present } from '../../base/invariant.ts'
import type { Block } from '../../chain/block.ts'
import type { ChainEntry } from '../../chain/chain-entry.ts'
import { RemoteEntry, type RemoteHistory, type ForkOrigin } from '../../chain/remote-history.ts'
import { differenceOf } from '../../state/difference.ts'
import { StateRoot } from '../../state/state-root.ts'
import type { Options } from '../../config/options.ts'
import { invalidState, type EntryRecord, type RemoteEntryRecord } from './records.ts'

/** The optional parts of a state file that a dump includes. */
export type DumpSelection = ReadonlySet<Options['stateParts'][number]>

/** The chain and the selection on which the record of an entry depends. */
export interface EntryContext {
  /** Entries with their numbers, in the order of the file, parents first. */
  readonly numbers: ReadonlyMap<ChainEntry, number>
  readonly selection: DumpSelection
  readonly genesis: Block
  readonly remote: RemoteHistory | undefined
}

/** The record of a block with the difference of its state. */
export function entryRecord(entry: ChainEntry, context: EntryContext): EntryRecord | RemoteEntryRecord {
  const { numbers, selection, genesis, remote } = context
  const { block, keptState, parent, reservation } = entry
  if (entry instanceof RemoteEntry) return remoteRecord(entry.history, block.header.number, entry.state)
  if (!selection.has('blocks'))
    return remote === undefined
      ? { kind: 'entry', block: genesis, accounts: differenceOf(StateRoot.empty, entry.state) }
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

/** The state after the nearest block that has one: an entry or an ancestor. */
export function stateBelow(parent: ChainEntry | undefined): StateRoot {
  for (let entry = parent; entry !== undefined; entry = entry.parent) {
    const state = entry.keptState
    if (state !== undefined) return state
  }
  return StateRoot.empty
}

/** A remote block with a state that continues it. */
function remoteRecord(history: RemoteHistory, number: bigint, state: StateRoot): RemoteEntryRecord {
  const { state: unchanged } = present(history.make(number), `remote block ${number}`)
  return { kind: 'remote', number, accounts: differenceOf(unchanged, state) }
}

/** A block with its receipts, with its transactions, or with neither. Receipts are not left out if they cannot be made again. */
function contentOf(
  { block, parent }: ChainEntry,
  selection: DumpSelection,
): Pick<EntryRecord, 'block' | 'transactions'> {
  const hasTransactions = selection.has('transactions')
  const canRunAgain = parent?.keptState !== undefined
  if (block.receipts.length === 0 || (hasTransactions && (selection.has('receipts') || !canRunAgain)))
    return { block }
  const bare = { ...block, receipts: [] }
  return hasTransactions
    ? { block: bare, transactions: block.receipts.map(({ transaction }) => transaction) }
    : { block: bare }
}

/**
 * Checks that a file and the node continue the same remote block, or none.
 * @throws NodeError 'invalidState'
 */
export function checkOrigin(ofFile: ForkOrigin | undefined, ofNode: ForkOrigin | undefined): void {
  if (ofFile?.chainId === ofNode?.chainId && ofFile?.blockHash === ofNode?.blockHash) return
  if (ofFile === undefined)
    throw invalidState(
      `the state file is not of a fork, this node continues ${described(ofNode)}: start it without --fork-url`,
    )
  throw invalidState(
    `the state file is of a fork of ${described(ofFile)} of ${ofFile.url}, this node continues ${described(ofNode)}: start it with --fork-url and --fork-block-number ${ofFile.blockNumber}`,
  )
}

const described = (origin: ForkOrigin | undefined): string =>
  origin === undefined
    ? 'no remote block'
    : `block ${origin.blockNumber} (${origin.blockHash}) of chain ${origin.chainId}`
