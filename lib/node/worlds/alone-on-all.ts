/** Runs work on several chains at once. */

import type { Services } from '../services.ts'

/**
 * Runs work while no other request changes one of the chains, given oldest first. Their locks are taken one after another, that of the
 * newest first: a write in a world that forks an older chain of the node waits for reads of that chain. If the work fails, what it
 * changed is undone in all of them.
 */
export function aloneOnAll(
  chains: readonly Pick<Services, 'instance' | 'miner'>[],
  work: () => Promise<void>,
): Promise<void> {
  const locked = chains.reduce(
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
