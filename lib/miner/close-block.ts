/** Closes a block after the transactions of users: credits their fees and runs the system transaction. */

import type { Receipt } from '../chain/block.ts'
import type { Network } from '../config/network.ts'
import type { Engine } from '../evm/engine.ts'
import { creditFees } from '../evm/precompiles/network-33/fee-contract.ts'
import type { RunningBlock } from '../evm/run.ts'
import { systemTransaction } from '../evm/system-transaction.ts'
import type { State } from '../state/state.ts'
import { nextReceipt } from './next-receipt.ts'

/** A block after the transactions of users ran. */
export interface RanBlock {
  readonly running: RunningBlock
  readonly state: State
  readonly receipts: readonly Receipt[]
}

/** Credits the fees to the fee contract, on networks where they do not go to the coinbase (node-chain 8.1). */
export function collectFees({ rules }: Engine, state: State, receipts: readonly Receipt[]): void {
  if (rules.transaction.feesGoTo === 'coinbase') return
  creditFees(
    state,
    receipts.reduce((total, { outcome }) => total + outcome.fee, 0n),
  )
}

/** Collects the fees and runs the system transaction if the network has one. Answers all receipts of the block. */
export function closeBlock(
  engine: Engine,
  { systemTransaction: isClosed }: Network,
  { running, state, receipts }: RanBlock,
): readonly Receipt[] {
  collectFees(engine, state, receipts)
  if (!isClosed) return receipts
  const { context } = running
  const transaction = systemTransaction(context.number)
  const outcome = engine.execute(state, running, transaction)
  return [...receipts, nextReceipt(receipts.at(-1), { transaction, outcome, context })]
}
