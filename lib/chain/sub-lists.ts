/** How the gas of a block is divided among its lists of transactions (IP-144; node-chain 7.6). */

import type { Header } from './header-fields.ts'
import type { Network } from '../config/network.ts'

/** Gas of the lists of a block: two that may run at the same time, and one that runs after them. */
export interface SubLists {
  /** Of each of the two. */
  readonly parallel: bigint
  readonly sequential: bigint
}

/** Lists that share the gas of a block. */
const LISTS = 3n

/** Divides the gas of a block, of which the sequential list has at least a minimum while there is that much. */
export function subListsOf(gasLimit: bigint, sequentialMinimum: bigint): SubLists {
  const third = gasLimit / LISTS
  const spare = gasLimit > sequentialMinimum ? (gasLimit - sequentialMinimum) / 2n : 0n
  const parallel = third >= sequentialMinimum ? third : spare
  return { parallel, sequential: gasLimit - 2n * parallel }
}

/**
 * Gas that the transactions of a block can use together, and one of them alone.
 * Blocks made here have no parallel lists, which the network accepts: everything is in the sequential one.
 */
export function userGasLimit(
  { sequentialGas }: Pick<Network, 'sequentialGas'>,
  { gasLimit }: Pick<Header, 'gasLimit'>,
): bigint {
  return sequentialGas === undefined ? gasLimit : subListsOf(gasLimit, sequentialGas).sequential
}
