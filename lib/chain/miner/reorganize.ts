/** Removes the newest blocks, and optionally replaces them by other blocks. */

import { invalidParams } from '../../base/errors.ts'
import { finish } from '../../base/routine.ts'
import { present } from '../../base/invariant.ts'
import type { ChainEntry } from '../chain-entry.ts'
import type { Chain } from '../chain.ts'
import type { BlockResolverDependencies } from './block-resolver.ts'
import { checkMines } from '../../config/mining-mode.ts'

/** Removes the newest blocks but keeps their transactions. The clock does not go back. @throws NodeError 'invalidParams' */
export const rollBack = (chain: Chain, depth: number): void => chain.setHead(ancestorAt(chain, depth))

/** Maximum number of replaced blocks. They are mined one by one, and other requests wait meanwhile. */
const MAX_REPLACED = 10_000

/**
 * Replaces the newest blocks by as many others, whose hashes always differ.
 * `fill` submits the transactions of the block with an index, from 0. The pooled transactions return to the pool afterwards.
 * @throws NodeError 'invalidParams', 'miningRefused', and any error of `fill`; the caller must then restore pool and chain
 */
export async function reorganize(
  { chain, mempool, miner }: BlockResolverDependencies,
  depth: number,
  fill: (index: number) => Promise<void>,
): Promise<void> {
  const { mode } = miner
  checkMines(mode)
  if (depth > MAX_REPLACED) {
    throw invalidParams(
      `params[0] (depth): ${depth} blocks cannot be replaced at once, at most ${MAX_REPLACED}`,
    )
  }
  const { timestamp } = chain.head.block.header
  const pooled = [...mempool.all()].sort((left, right) => left.arrival - right.arrival)
  rollBack(chain, depth)
  miner.stop()
  mempool.replace([], chain.height)
  for (let index = 0; index < depth; index++) {
    // Later than the removed blocks, because an empty block with the same timestamp would have the same hash.
    if (index === 0 && miner.nextBlockContext().timestamp <= timestamp) miner.setNextTimestamp(timestamp + 1n)
    await fill(index)
    await finish(miner.mine())
  }
  const waiting = [...mempool.all(), ...pooled].map(({ transaction }) => transaction)
  mempool.replace(waiting, chain.height)
  for (const sender of [...mempool.senders()])
    mempool.removeBelowNonce(sender, chain.head.state.nonce(sender))
  await finish(miner.setMode(mode))
}

function ancestorAt(chain: Chain, depth: number): ChainEntry {
  const { number } = chain.head.block.header
  const local = chain.remote === undefined ? number : number - chain.remote.last
  if (BigInt(depth) <= local) return present(chain.at(number - BigInt(depth)), 'block above the genesis')
  const reason =
    BigInt(depth) > number
      ? `the newest block is number ${number}`
      : `the chain has ${local} above block ${number - local}, which is the remote's`
  throw invalidParams(`params[0] (depth): ${depth} blocks cannot be removed, ${reason}`)
}
