/** Makes receipts that were not stored, by running the transactions of their block. */

import { NodeError } from '../base/errors.ts'
import type { Block, Receipt } from '../chain/block.ts'
import { ChainEntry } from '../chain/chain-entry.ts'
import { contextOf } from '../chain/past-context.ts'
import type { Network } from '../config/network.ts'
import type { Engine } from '../evm/engine.ts'
import { isSystemTransaction } from '../evm/system-transaction.ts'
import type { Transaction } from '../evm/transaction.ts'
import { State } from '../state/state.ts'
import { assemble } from './assemble.ts'

/**
 * The receipts of a block, of which the rest and all transactions are known.
 * @throws NodeError 'invalidState' when they are not those that the header names, as under the rules of another node
 */
export function recomputeReceipts(
  { engine, network }: { readonly engine: Engine; readonly network: Network },
  block: Block,
  parent: ChainEntry,
  transactions: readonly Transaction[],
): readonly Receipt[] {
  const { header, receipts } = assemble(engine, network, {
    parent,
    context: contextOf(new ChainEntry({ block, state: parent.state, parent }), network),
    state: new State(parent.state),
    uncles: block.uncles,
    withdrawals: block.withdrawals,
    // The system transaction comes by itself.
    candidates: transactions
      .filter((one) => !isSystemTransaction(one))
      .map((transaction) => ({ transaction })),
    finish: (content) => ({ ...content, hash: block.hash }),
  }).block
  const { number, transactionsRoot, receiptsRoot } = block.header
  if (header.transactionsRoot === transactionsRoot && header.receiptsRoot === receiptsRoot) return receipts
  throw new NodeError(
    'invalidState',
    `the receipts of block ${number} are not in the state file, and running its transactions on this node makes others`,
  )
}
