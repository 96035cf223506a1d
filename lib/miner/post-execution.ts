/** What the protocol does after the last transaction of a block (EIP-7685). */

import type { Network } from '../config/network.ts'
import type { Engine } from '../evm/engine.ts'
import { collectRequests } from '../evm/execution-requests.ts'
import type { RanBlock } from './close-block.ts'

/** Has the system contracts end the block; answers its execution requests. */
export function postExecution(
  engine: Engine,
  network: Network,
  { state, running, receipts }: RanBlock,
): readonly Uint8Array[] {
  const logs = receipts.flatMap(({ outcome }) => outcome.logs)
  return collectRequests(engine, network, { state, running, logs })
}
