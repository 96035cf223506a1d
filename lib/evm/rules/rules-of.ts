/** Builds the rules of a network from those of its kind and its own settings. */

import { lazyPart } from '../../base/lazy-part.ts'
import { activeEips } from '../../config/active-eips.ts'
import type { Network } from '../../config/network.ts'
import { contractsNamed } from '../precompiles/network-33/precompiles.ts'
import { ethereumRules } from './ethereum.ts'
import { network33Rules } from './network33.ts'
import type { Rules } from './rules.ts'

/** Options in addition to the network's settings. */
export interface RulesOptions {
  /** Lifts the limits on the size of code and of init code. */
  readonly allowUnlimitedContractSize: boolean
}

/**
 * Builds the rules, whose precompiles all executions share. The precompiles of Ethereum and the check of blobs are loaded
 * on demand: setting up their curves takes longer than the rest of a node.
 */
export async function rulesOf(network: Network, options: RulesOptions): Promise<Rules> {
  const { hardfork, maxCodeSize, maxInitCodeSize, depositContract } = network
  const eips = activeEips(network)
  const shared = { ...options, eips, maxCodeSize, maxInitCodeSize }
  switch (network.kind) {
    case 'merged-mining':
      return network33Rules({ ...shared, precompiles: contractsNamed(network.names) })
    case 'ethereum': {
      const { ethereumPrecompiles } = await loadEthereum()
      const { isSidecarProven } = await loadSidecarProofs()
      return ethereumRules({
        ...shared,
        name: hardfork,
        depositContract,
        precompiles: ethereumPrecompiles(eips),
        isSidecarProven,
      })
    }
  }
}

const loadSidecarProofs = lazyPart('the proofs of blobs', () => import('../sidecar-proofs.ts'))
const loadEthereum = lazyPart(
  'the precompiles of Ethereum',
  () => import('../precompiles/ethereum/precompiles.ts'),
)
