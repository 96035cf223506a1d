/** Recomputes receipts that are not in a state file, by running the transactions of their block. */

import { NodeError } from '../../base/errors.ts'
import { nextTurn } from '../../base/host.ts'
import { runWithPauses } from '../../base/routine.ts'
import type { Block, Receipt } from '../block.ts'
import { ChainEntry } from '../chain-entry.ts'
import { blockContextOf } from '../ancestors.ts'
import type { Network } from '../../config/network.ts'
import type { Engine } from '../../evm/engine.ts'
import { isSystemTransaction } from '../../evm/system-transaction.ts'
import type { Transaction } from '../../evm/transaction.ts'
import { State } from '../../state/state.ts'
import { assemble } from './assemble.ts'

/**
 * The receipts of a block whose other members and transactions are known.
 * @throws NodeError 'invalidState' when the roots differ from those of the header, for example because the node that made
 * the block has other rules
 */
export async function recomputeReceipts(
  { engine, network }: { readonly engine: Engine; readonly network: Network },
  block: Block,
  parent: ChainEntry,
  transactions: readonly Transaction[],
): Promise<readonly Receipt[]> {
  const assembly = assemble(engine, network, {
    parent,
    context: blockContextOf(new ChainEntry({ block, state: parent.state, parent }), network),
    state: new State(parent.state),
    uncles: block.uncles,
    withdrawals: block.withdrawals,
    // The block processor adds the system transaction.
    candidates: transactions
      .filter((one) => !isSystemTransaction(one))
      .map((transaction) => ({ transaction })),
    finish: (content) => ({ ...content, hash: block.hash }),
    timer: { onSlice: nextTurn },
  })
  const { block: made, rejected } = await runWithPauses(assembly)
  const { header, receipts } = made
  const { number, transactionsRoot, receiptsRoot } = block.header
  if (header.transactionsRoot === transactionsRoot && header.receiptsRoot === receiptsRoot) return receipts
  throw new NodeError(
    'invalidState',
    `the receipts of block ${number} are not in the state file, and running its transactions on this node makes others`,
    { cause: rejected[0]?.error },
  )
}
