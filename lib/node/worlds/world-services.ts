/** Makes the services of worlds that have a network of their own or continue a remote chain. */

import { fundedAccounts } from '../../accounts/derive.ts'
import { NodeError } from '../../base/errors.ts'
import { getOrAdd } from '../../base/get-or-add.ts'
import { networkOfWorld, type WorldNetwork } from '../../config/resolve-network.ts'
import { servicesOfForkedWorld, type ForkRequest } from '../fork-requests.ts'
import { servicesOfNetwork, type SharedServices } from '../shared-services.ts'

/** What a world has that the default chain has not: members of its network, or a remote chain to continue. */
export interface WorldRequest {
  readonly network: WorldNetwork
  /** Without it, the world begins with a genesis. */
  readonly fork?: ForkRequest | undefined
}

/** Opens the services of a world. @throws NodeError 'invalidParams', 'remoteFailed' */
export type WorldOpener = (request: WorldRequest) => Promise<SharedServices>

/** Maximum number of networks whose services are kept for later worlds. */
const MAX_KEPT = 32

/** Creates the opener of a node. Worlds with the same members of a network share their services. */
export function createWorldOpener(shared: SharedServices): WorldOpener {
  const kept = new Map<string, Promise<SharedServices>>()
  const withGenesis = (own: WorldNetwork): Promise<SharedServices> => {
    const key = [own.network, own.hardfork, own.chainId].join()
    if (kept.size >= MAX_KEPT) kept.clear()
    const services = getOrAdd(kept, key, () => servicesWithGenesis(shared, own))
    services.catch(() => kept.delete(key))
    return services
  }
  return async ({ network, fork }) => {
    try {
      return await (fork === undefined
        ? withGenesis(network)
        : servicesOfForkedWorld(shared, { ...fork, ...network }))
    } catch (error) {
      if (!(error instanceof NodeError) || error.kind !== 'invalidOption') throw error
      throw new NodeError('invalidParams', `params[0] (world): ${error.message}`, { cause: error })
    }
  }
}

/** The services of a world that begins with its genesis. */
async function servicesWithGenesis(shared: SharedServices, own: WorldNetwork): Promise<SharedServices> {
  const network = networkOfWorld(own, shared)
  // A genesis file of the node determines the balances of its accounts on the default chain only.
  const funded =
    own.network === undefined || shared.options.genesis === undefined
      ? shared.funded
      : fundedAccounts(network.accounts)
  return servicesOfNetwork(shared, { network, funded, fork: undefined })
}
