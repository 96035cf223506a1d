/** Makes the first local block of a fork that continues after a transaction: the remote's block up to that transaction. */

import { NodeError } from '../../base/errors.ts'
import { nextTurn } from '../../base/host.ts'
import { finish, NotLoadedError, type Routine } from '../../base/routine.ts'
import type { Hash } from '../../base/hex.ts'
import { BlockProcessor } from '../block-processor.ts'
import { withHash, type Block, type Receipt } from '../block.ts'
import { ChainEntry } from '../chain-entry.ts'
import { headerContext } from '../ancestors.ts'
import type { RemoteEntry } from '../remote-history.ts'
import type { Header } from '../../networks/consensus/consensus.ts'
import type { Outcome } from '../../evm/outcome.ts'
import { DEPOSIT_TYPE, isKnownType, type Transaction } from '../../evm/transaction.ts'
import type { Network } from '../../config/network.ts'
import type { Engine } from '../../evm/engine.ts'
import { State } from '../../state/state.ts'
import { sealBlock } from './seal.ts'

/** The rules of the chain, and the remote block that it continues. */
export interface ReplayBase {
  readonly engine: Engine
  readonly network: Network
  readonly head: RemoteEntry
}

/**
 * Runs the transactions of the next remote block up to one of them, and makes a local block of them. @throws NodeError
 * 'remoteFailed' if one cannot run here, or if its outcome differs from the remote's
 */
export const blockUpTo = async (base: ReplayBase, remote: Block, last: Hash): Promise<ChainEntry> =>
  finish(() => replay(base, remote, last))

function* replay({ engine, network, head }: ReplayBase, remote: Block, last: Hash): Routine<ChainEntry> {
  const { header, receipts } = remote
  const count = receipts.findIndex(({ transaction }) => transaction.hash === last) + 1
  const state = new State(head.state)
  const context = headerContext(header, () => head, network.chainId)
  const { parentHash, parentBeaconBlockRoot } = header
  const base = { state, context, parentHash, parentBeaconBlockRoot }
  const block = new BlockProcessor(engine, network, { ...base, timer: { onSlice: nextTurn } })
  // The outcome is read before the run, because it may have to be loaded.
  for (const { transaction, outcome } of receipts.slice(0, count)) {
    checkType(transaction, header)
    const made = yield* execute(block, transaction)
    checkOutcome({ transaction, outcome }, made.outcome, header)
  }
  const { receipts: made, requests, accessList } = yield* block.close([])
  const root = state.commitRoot()
  const sealed = sealBlock(network, {
    parent: head,
    context,
    receipts: made.map((receipt, index) => withMembersOf(receipt, receipts[index])),
    state: root,
    requests,
    accessList,
    finish: withHash,
  })
  return new ChainEntry({ block: sealed, state: root, parent: head })
}

/** A local receipt with the remote receipt's additional members, such as the fee of a rollup. */
const withMembersOf = (receipt: Receipt, remote: Receipt | undefined): Receipt => ({
  ...receipt,
  outcome: { ...receipt.outcome, remoteMembers: remote?.outcome.remoteMembers },
})

/** The error's advice for a transaction that cannot run: fork at a whole block, which needs no run. */
const advice = ({ number }: Pick<Header, 'number'>): string =>
  `continue from a whole block, with --fork-block-number ${number - 1n} or ${number}, instead of --fork-transaction`

/** Refuses transaction types of other networks, such as Arbitrum's. */
function checkType({ hash, type }: Transaction, header: Header): void {
  if (isKnownType(type) || type === DEPOSIT_TYPE) return
  throw new NodeError(
    'remoteFailed',
    `transaction ${hash} of type ${type} cannot be run here, because its rules are those of another network: ${advice(header)}`,
    { code: 'DN-REPLAY' },
  )
}

function* execute(block: BlockProcessor, transaction: Transaction): Routine<Receipt> {
  try {
    return yield* block.execute(transaction)
  } catch (error) {
    const isOfTransaction = error instanceof NodeError && error.kind !== 'remoteFailed'
    if (error instanceof NotLoadedError || !isOfTransaction) throw error
    throw new NodeError(
      'remoteFailed',
      `transaction ${transaction.hash} of type ${transaction.type} cannot be run here: ${error.message}`,
      { cause: error, code: 'DN-REPLAY' },
    )
  }
}

function checkOutcome(
  { transaction, outcome: expected }: Pick<Receipt, 'transaction' | 'outcome'>,
  made: Outcome,
  header: Header,
): void {
  const isSame =
    made.gasUsed === expected.gasUsed &&
    made.logs.length === expected.logs.length &&
    (made.status === 'success') === (expected.status === 'success')
  if (isSame) return
  throw new NodeError(
    'remoteFailed',
    `transaction ${transaction.hash} ${made.status} here with gas ${made.gasUsed} and ${made.logs.length} logs, and ${expected.status} on the remote with gas ${expected.gasUsed} and ${expected.logs.length} logs: the rules of the remote differ from those of this node; ${advice(header)}`,
    { code: 'DN-REPLAY' },
  )
}
