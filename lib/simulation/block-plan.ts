/** Plans the blocks of a simulation: the requested ones, and empty blocks that fill the gaps between their numbers. */

import { NodeError } from '../base/errors.ts'
import type { Address } from '../base/hex.ts'
import type { Header } from '../consensus/header-fields.ts'
import type { BlockOverrides } from './block-overrides.ts'
import type { StateOverride } from './overrides.ts'
import type { Call } from './simulator.ts'

/** A call in a simulated block. */
export interface SimulatedCall extends Call {
  readonly nonce?: bigint | undefined
  readonly type?: bigint | undefined
}

/** A block as it is asked for. */
export interface BlockRequest {
  /** Absent members follow from the parent. */
  readonly block: BlockOverrides
  readonly overrides: ReadonlyMap<Address, StateOverride>
  readonly calls: readonly SimulatedCall[]
}

/** A block whose place is settled. */
export interface PlannedBlock extends BlockRequest {
  readonly number: bigint
  readonly timestamp: bigint
}

/** Seconds from a block to the next that names no time (execution-apis, eth_simulateV1). */
const DEFAULT_GAP = 12n

/** Most blocks of one simulation, fillers included (geth, maxSimulateBlocks). */
export const MAX_SIMULATED_BLOCKS = 256n

/**
 * Settles number and time of every block.
 * @throws NodeError 'blockNumberOrder' or 'blockTimeOrder' when one does not come after the other; 'limitExceeded'
 */
export function planBlocks(base: Header, requests: readonly BlockRequest[]): readonly PlannedBlock[] {
  const planned: PlannedBlock[] = []
  let last = { number: base.number, timestamp: base.timestamp }
  const place = (request: BlockRequest, number: bigint) => {
    const timestamp = request.block.time ?? last.timestamp + DEFAULT_GAP
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
    const number = request.block.number ?? last.number + 1n
    checkNumber(number, last.number, base.number)
    while (last.number + 1n < number) place(FILLER, last.number + 1n)
    place(request, number)
  }
  return planned
}

const FILLER: BlockRequest = { block: {}, overrides: new Map(), calls: [] }

function checkNumber(number: bigint, last: bigint, base: bigint): void {
  if (number <= last) {
    throw new NodeError('blockNumberOrder', `block numbers must be in order: ${number} <= ${last}`)
  }
  if (number - base > MAX_SIMULATED_BLOCKS) {
    throw new NodeError(
      'limitExceeded',
      `too many blocks: ${number - base}, the limit is ${MAX_SIMULATED_BLOCKS}`,
    )
  }
}
