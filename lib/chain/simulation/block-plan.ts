/** Plans the blocks of a simulation: the requested ones, and empty blocks that fill the gaps between their numbers. */

import { NodeError } from '../../base/errors.ts'
import type { Header } from '../../networks/consensus/consensus.ts'
import type { Overrides } from './overrides.ts'
import type { TransactionRequest } from './transaction-request.ts'

/** A simulated block as a request describes it; absent members follow from the parent. */
export interface BlockRequest extends Overrides {
  readonly calls?: readonly TransactionRequest[] | undefined
}

/** A block whose number and timestamp are determined. */
export interface PlannedBlock extends BlockRequest {
  readonly number: bigint
  readonly timestamp: bigint
}

/** Seconds between a block and its parent, if the request sets no time (execution-apis, eth_simulateV1). */
const DEFAULT_GAP = 12n

/** Maximum number of calls in one block (geth, maxSimulateCallsPerBlock). */
const MAX_CALLS = 5000

/** Maximum number of blocks of one simulation, with those that fill gaps (geth, maxSimulateBlocks). */
export const MAX_SIMULATED_BLOCKS = 256n

/**
 * Determines number and timestamp of every block.
 * @throws NodeError 'blockNumberOrder' or 'blockTimeOrder' if they do not increase; 'limitExceeded'
 */
export function planBlocks(base: Header, requests: readonly BlockRequest[]): readonly PlannedBlock[] {
  const planned: PlannedBlock[] = []
  let last = { number: base.number, timestamp: base.timestamp }
  const plan = (request: BlockRequest, number: bigint) => {
    const timestamp = request.blockOverrides?.time ?? last.timestamp + DEFAULT_GAP
    if (timestamp <= last.timestamp) {
      throw new NodeError(
        'blockTimeOrder',
        `block timestamps must be in order: ${timestamp} <= ${last.timestamp}`,
      )
    }
    last = { number, timestamp }
    planned.push({ ...request, ...last })
  }
  for (const request of requests) {
    const number = request.blockOverrides?.number ?? last.number + 1n
    checkNumber(number, last.number, base.number)
    const { calls = [] } = request
    if (calls.length > MAX_CALLS)
      throw limitExceeded(`too many calls in block: ${calls.length} > ${MAX_CALLS}`)
    while (last.number + 1n < number) plan({}, last.number + 1n)
    plan(request, number)
  }
  return planned
}

function checkNumber(number: bigint, last: bigint, base: bigint): void {
  if (number <= last) {
    throw new NodeError('blockNumberOrder', `block numbers must be in order: ${number} <= ${last}`)
  }
  if (number - base > MAX_SIMULATED_BLOCKS) {
    throw limitExceeded(`too many blocks: ${number - base}, the limit is ${MAX_SIMULATED_BLOCKS}`)
  }
}

const limitExceeded = (message: string): NodeError => new NodeError('limitExceeded', message)
