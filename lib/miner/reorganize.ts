/** Takes blocks back as if they had never been, and makes others in their place. */

import type { ChainEntry } from '../chain/chain-entry.ts'
import { NodeError } from '../base/errors.ts'
import { present } from '../base/invariant.ts'
import type { Chain } from '../chain/chain.ts'
import type { Mempool } from '../mempool/mempool.ts'
import type { Miner } from './miner.ts'
import { checkMines } from './mining-mode.ts'

/** What is reorganised. */
export interface ReorganizationParts {
  readonly chain: Chain
  readonly mempool: Mempool
  readonly miner: Miner
}

/**
 * Takes back the newest blocks. Their transactions do not wait again; time does not go back.
 * @throws NodeError 'invalidParams' when there are not that many blocks above the genesis
 */
export function rollBack(chain: Chain, depth: number): void {
  chain.goTo(ancestorAt(chain, depth))
}

/** Most blocks that are made in place of others, one by one while everybody else waits. */
const MAX_REPLACED = 10_000

/**
 * Takes back the newest blocks and makes as many others, whose hashes are different in any case.
 * `fill` submits the transactions of each of them, counted from 0; what waited before waits again afterwards.
 * @throws NodeError 'invalidParams', 'miningRefused', and whatever `fill` throws; the pool and the chain are then to be
 * put back by the caller
 */
export async function reorganize(
  { chain, mempool, miner }: ReorganizationParts,
  depth: number,
  fill: (index: number) => Promise<void>,
): Promise<void> {
  const { mode } = miner
  checkMines(mode)
  if (depth > MAX_REPLACED) {
    throw new NodeError(
      'invalidParams',
      `params[0] (depth): ${depth} blocks cannot be replaced at once, at most ${MAX_REPLACED}`,
    )
  }
  const { timestamp } = chain.head.block.header
  const waiting = [...mempool.all()].sort((left, right) => left.arrival - right.arrival)
  rollBack(chain, depth)
  miner.stop()
  mempool.replace([])
  for (let index = 0; index < depth; index++) {
    // Later than all that was taken back: an empty block in the place of an empty one would be the same block.
    if (index === 0 && miner.plan().timestamp <= timestamp) miner.setNextTimestamp(timestamp + 1n)
    await fill(index)
    miner.mine()
  }
  mempool.replace([...mempool.all(), ...waiting].map(({ transaction }) => transaction))
  for (const sender of [...mempool.senders()]) mempool.removePassed(sender, chain.head.state.nonce(sender))
  miner.setMode(mode)
}

function ancestorAt(chain: Chain, depth: number): ChainEntry {
  const { number } = chain.head.block.header
  if (BigInt(depth) > number) {
    throw new NodeError(
      'invalidParams',
      `params[0] (depth): ${depth} blocks cannot be taken back, the newest block is number ${number}`,
    )
  }
  return present(chain.at(number - BigInt(depth)), 'block above the genesis')
}
