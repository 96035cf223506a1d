/** Runs work on several chains at once. */

import type { Services } from '../services.ts'

/**
 * Runs work while no other request changes one of the chains. Their locks are taken one after another, so callers that share chains
 * name them in the same order. If the work fails, what it changed is undone in all of them.
 */
export function aloneOnAll(
  chains: readonly Pick<Services, 'instance' | 'miner'>[],
  work: () => Promise<void>,
): Promise<void> {
  const locked = chains.reduceRight(
    (inner, { instance, miner }) =>
      async () =>
        instance.lock.run('write', () => {
          miner.makePostponedBlocks()
          return instance.atomically(inner)
        }),
    work,
  )
  return locked()
}
