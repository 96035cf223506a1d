/** Handles requests for other chains at run time: resets to a remote chain, and worlds with their own network or a remote chain. */

import { fundedAccounts } from '../accounts/derive.ts'
import { NodeError, invalidParams } from '../base/errors.ts'
import { getOrAdd } from '../base/once.ts'
import { toHash } from '../base/hex.ts'
import { finish, waitFor, type Routine } from '../base/routine.ts'
import type { RemoteEntry } from '../chain/remote-history.ts'
import type { Options } from '../config/options.ts'
import { networkOfWorld, otherChains, type WorldNetwork } from '../config/resolve-network.ts'
import type { Fork } from '../fork/fork.ts'
import type { Services } from './services.ts'
import { servicesOfNetwork, type SharedServices } from './shared-services.ts'

/** The remote chain to continue. Without a URL it is the one that the chain continues already. */
export type ForkRequest = Partial<
  Pick<Options, 'forkUrl' | 'forkBlockNumber' | 'forkTransaction' | 'forkHeaders'>
>

type ResetServices = Pick<Services, 'chain' | 'clock' | 'forks' | 'network' | 'snapshots'>

/**
 * Puts a chain back to its beginning, or makes it continue a remote chain, and drops its snapshots. Network and accounts stay. If
 * the remote cannot be used, nothing changes. @throws NodeError 'remoteFailed', 'invalidParams'
 */
export function* resetChain(
  services: ResetServices,
  shared: SharedServices,
  request: ForkRequest | undefined,
): Routine<void> {
  const { chain, clock, forks, snapshots } = services
  const opened = request && (yield* waitFor(openHead(services, shared, request)))
  snapshots.reset()
  if (opened !== undefined) {
    chain.setHead(opened.head)
    clock.advanceTo(opened.head.block.header.timestamp)
  }
  const earlier = forks.replace(opened?.fork)
  if (earlier !== undefined) yield* waitFor(earlier.close())
}

/** Opens the fork of a reset, and its head under the node's rules. */
async function openHead(
  { network, forks }: ResetServices,
  shared: SharedServices,
  request: ForkRequest,
): Promise<{ readonly fork: Fork; readonly head: RemoteEntry }> {
  const origin = forks.current?.origin
  const place = 'params[0].forking.jsonRpcUrl'
  return withFork(shared, { ...origin, ...request, place }, async (fork) => {
    if (fork.network.kind.consensus !== network.kind.consensus)
      throw invalidParams(
        `the remote ${fork.shownUrl} follows the rules of ${fork.network.name}, this node those of ${network.name}: start the node with --network ${fork.network.name}, or with --fork-url`,
      )
    if (await forks.isLoop(fork, toHash(shared.host.random(32))))
      throw invalidParams(
        `${place}: ${fork.shownUrl} is this chain or a fork of it, and a chain cannot continue itself: name another URL, or fork this chain in a world (dev_createWorld)`,
      )
    const head = await fork.open(network, shared.funding)
    // Subscribers receive its header when it joins the chain, and some headers show the uncles.
    await finish(() => head.block.uncles)
    return { fork, head }
  })
}

/** How a world differs from the default chain: members of its network, or a remote chain to continue. */
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

async function servicesWithGenesis(shared: SharedServices, own: WorldNetwork): Promise<SharedServices> {
  const network = networkOfWorld(own, shared)
  // A genesis file of the node sets balances on the default chain only.
  const funded =
    own.network === undefined || shared.options.genesis === undefined
      ? shared.funded
      : fundedAccounts(network.accounts)
  return servicesOfNetwork(shared, { network, funded, fork: undefined })
}

/**
 * The services of a world that continues a remote chain, with that chain's rules unless the request sets others. Accounts and names
 * are the node's. @throws NodeError 'remoteFailed', 'invalidOption'
 */
async function servicesOfForkedWorld(
  shared: SharedServices,
  request: ForkRequest & WorldNetwork,
): Promise<SharedServices> {
  const { names, accounts } = shared.network
  const place = 'params[0].fork.url'
  return withFork(shared, { ...shared.fork?.origin, ...request, place }, (fork) =>
    servicesOfNetwork(shared, { ...shared, fork, network: { ...fork.network, names, accounts } }),
  )
}

/**
 * Opens the fork of a request, and closes it if its use fails; `place` is where the request has the URL. Options about the network
 * describe the default chain and do not apply.
 */
async function withFork<T>(
  { options, forkOpener, kinds }: SharedServices,
  { place, ...request }: ForkRequest & WorldNetwork & { readonly place: string },
  use: (fork: Fork) => Promise<T>,
): Promise<T> {
  if (request.forkUrl === undefined && options.forkCacheOnly !== true) {
    throw invalidParams(`${place}: expected the URL of the chain to fork: this chain continues none`)
  }
  const fork = await forkOpener.open({
    ...options,
    forkBlockNumber: undefined,
    forkTransaction: undefined,
    forkHeaders: undefined,
    forkChainId: undefined,
    ...otherChains(kinds),
    ...request,
  })
  try {
    return await use(fork)
  } catch (error) {
    await fork.close()
    throw error
  }
}
