/** What happens in a block after the transactions of users: the fee contract earns what they paid, and may pay it out. */

import type { Receipt } from '../chain/block.ts'
import type { Network } from '../config/network.ts'
import type { Engine } from '../evm/engine.ts'
import { creditFees } from '../evm/precompiles/network-33/fee-contract.ts'
import type { RunningBlock } from '../evm/run.ts'
import { systemTransaction } from '../evm/system-transaction.ts'
import type { State } from '../state/state.ts'
import { nextReceipt } from './next-receipt.ts'

/** A block whose users' transactions have run. */
export interface RanBlock {
  readonly running: RunningBlock
  readonly state: State
  readonly receipts: readonly Receipt[]
}

/** Credits the fee contract with what the transactions paid, where it is not their coinbase that earns it (node-chain 8.1). */
export function collectFees({ rules }: Engine, state: State, receipts: readonly Receipt[]): void {
  if (rules.transaction.feesGoTo === 'coinbase') return
  creditFees(
    state,
    receipts.reduce((total, { outcome }) => total + outcome.fee, 0n),
  )
}

/** Collects the fees and, where the network asks for it, runs the system transaction; answers the receipts with its own. */
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
