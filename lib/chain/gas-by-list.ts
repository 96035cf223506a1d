/** Divides the gas of a block among its lists of transactions (IP-144; node-chain 7.6). */

import type { Network } from '../config/network.ts'
import type { Header } from '../consensus/header-fields.ts'

/** Gas of the lists of a block: two parallel lists, and a sequential list that runs after them. */
export interface GasByList {
  /** Gas of each parallel list. */
  readonly parallel: bigint
  readonly sequential: bigint
}

/** Number of lists that share the gas of a block. */
const LISTS = 3n

/** Divides the gas of a block. The sequential list gets at least its minimum, or all gas if there is less. */
export function gasByListOf(gasLimit: bigint, sequentialMinimum: bigint): GasByList {
  const third = gasLimit / LISTS
  const spare = gasLimit > sequentialMinimum ? (gasLimit - sequentialMinimum) / 2n : 0n
  const parallel = third >= sequentialMinimum ? third : spare
  return { parallel, sequential: gasLimit - 2n * parallel }
}

/**
 * Gas that the transactions of a block share, and that one of them may use alone: the block's gas limit, or the gas of the
 * sequential list where the network divides it. Our blocks put all transactions into that list, which the network accepts.
 */
export function gasForTransactions(
  { sequentialGas: sequentialMinimum }: Pick<Network, 'sequentialGas'>,
  { gasLimit }: Pick<Header, 'gasLimit'>,
): bigint {
  return sequentialMinimum === undefined ? gasLimit : gasByListOf(gasLimit, sequentialMinimum).sequential
}
