/** Builds the rules of a network, whose precompiles all executions share, from its settings. */

import { lazyPart } from '../base/lazy-part.ts'
import { activeEips } from '../config/active-eips.ts'
import type { Network } from '../config/network.ts'
import { precompilesOf } from './network-33/precompiles/precompiles.ts'
import { ethereumRules } from './ethereum/rules.ts'
import { network33Rules } from './network-33/rules.ts'
import type { Rules } from '../evm/rules.ts'

/** Options in addition to the network's settings. */
export interface RulesOptions {
  /** Lifts the limits on the size of code and of init code. */
  readonly allowUnlimitedContractSize: boolean
  /** Release of the reference that a network like network 33 follows. */
  readonly release: string
}

/**
 * Builds the rules of an Ethereum network. Its precompiles and the check of blobs are loaded on demand: setting up their
 * curves takes longer than the rest of a node.
 */
export async function loadEthereumRules(network: Network, options: RulesOptions): Promise<Rules> {
  const { hardfork, maxCodeSize, maxInitCodeSize, depositContract } = network
  const eips = activeEips(network)
  const { ethereumPrecompiles } = await loadEthereum()
  const { isSidecarProven } = await loadSidecarProofs()
  return ethereumRules({
    ...options,
    eips,
    maxCodeSize,
    maxInitCodeSize,
    name: hardfork,
    depositContract,
    precompiles: ethereumPrecompiles(eips),
    isSidecarProven,
  })
}

/** Builds the rules of network 33 and of networks like it. */
export async function loadNetwork33Rules(network: Network, options: RulesOptions): Promise<Rules> {
  const { maxCodeSize, maxInitCodeSize, names } = network
  const eips = activeEips(network)
  const precompiles = precompilesOf(names, options.release)
  return network33Rules({ ...options, eips, maxCodeSize, maxInitCodeSize, precompiles })
}

const loadSidecarProofs = lazyPart('the proofs of blobs', () => import('./ethereum/sidecar-proofs.ts'))
const loadEthereum = lazyPart(
  'the precompiles of Ethereum',
  () => import('./ethereum/precompiles/precompiles.ts'),
)
