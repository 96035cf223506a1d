/** Checks a block before it is added to the chain, if the miner has a check. */

import type { Routine } from '../base/routine.ts'
import type { ChainEntry } from '../chain/chain-entry.ts'
import type { MinerDependencies } from './miner-dependencies.ts'

/** Drops the transactions of a block that fails the check: they would fail it again. @throws the error of the check */
export function* checkBlock(
  { check, mempool }: Pick<MinerDependencies, 'check' | 'mempool'>,
  entry: ChainEntry,
): Routine<void> {
  if (check === undefined) return
  try {
    yield* check(entry)
  } catch (error) {
    mempool.remove(entry.transactionHashes)
    throw error
  }
}
