/** Runs the protocol steps after the last transaction of a block: withdrawals and requests (EIP-4895, EIP-7685). */

import { creditWithdrawals } from '../chain/withdrawals.ts'
import type { Withdrawal } from '../chain/withdrawals.ts'
import type { Network } from '../config/network.ts'
import type { Engine } from '../evm/engine.ts'
import { collectRequests } from '../evm/execution-requests.ts'
import type { RanBlock } from './close-block.ts'

/** Credits the withdrawals and calls the system contracts. Answers the execution requests of the block. */
export function postExecution(
  engine: Engine,
  network: Network,
  { state, running, receipts, withdrawals }: RanBlock & { readonly withdrawals: readonly Withdrawal[] },
): readonly Uint8Array[] {
  creditWithdrawals(state, withdrawals)
  const logs = receipts.flatMap(({ outcome }) => outcome.logs)
  return collectRequests(engine, network, { state, running, logs })
}
