/** Carries out requests to fork a remote chain while the node runs: resets, and worlds that begin with a remote block. */

import { NodeError } from '../base/errors.ts'
import { toHash } from '../base/hex.ts'
import { finish, waitFor, type Routine } from '../base/routine.ts'
import type { RemoteEntry } from '../chain/remote-history.ts'
import type { Options } from '../config/options.ts'
import { OF_DEFAULT_CHAIN, type WorldNetwork } from '../config/resolve-network.ts'
import { consensusOf } from '../networks/consensus/consensus-of.ts'
import type { Fork } from '../fork/fork.ts'
import type { Services } from './services.ts'
import { servicesOfNetwork, type SharedServices } from './shared-services.ts'

/** The remote chain to continue. Without a URL it is that of the fork that the chain continues. */
export type ForkRequest = Partial<
  Pick<Options, 'forkUrl' | 'forkBlockNumber' | 'forkTransaction' | 'forkHeaders'>
>

type ResetServices = Pick<Services, 'chain' | 'clock' | 'forks' | 'network' | 'snapshots'>

/**
 * Puts a chain back to what it began with, or makes it continue a remote chain, and drops its snapshots. Network and accounts
 * stay as they are. If the remote cannot be used, nothing changes.
 * @throws NodeError 'remoteFailed', 'invalidParams'
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

/** Opens the fork of a reset, with its head under the rules of the node. */
async function openHead(
  { network, forks }: ResetServices,
  shared: SharedServices,
  request: ForkRequest,
): Promise<{ readonly fork: Fork; readonly head: RemoteEntry }> {
  const origin = forks.current?.origin
  const place = 'params[0].forking.jsonRpcUrl'
  const fork = await openRequested(shared, { ...origin, ...request }, place)
  try {
    if (consensusOf(fork.network) !== consensusOf(network))
      throw new NodeError(
        'invalidParams',
        `the remote ${fork.shownUrl} follows the rules of ${fork.network.name}, this node those of ${network.name}: start the node with --network ${fork.network.name}, or with --fork-url`,
      )
    if (await forks.isLoop(fork, toHash(shared.host.random(32))))
      throw new NodeError(
        'invalidParams',
        `${place}: ${fork.shownUrl} is this chain or a fork of it, and a chain cannot continue itself: name another URL, or fork this chain in a world (dev_createWorld)`,
      )
    const head = await fork.open(network, shared.funding)
    // Subscribers are sent its header when it joins the chain, and some headers show the uncles.
    await finish(() => head.block.uncles)
    return { fork, head }
  } catch (error) {
    await fork.close()
    throw error
  }
}

/**
 * The services of a world that continues a remote chain, with the rules of that chain unless the request has others. Accounts and
 * names are those of the node. @throws NodeError 'remoteFailed', 'invalidOption'
 */
export async function servicesOfForkedWorld(
  shared: SharedServices,
  request: ForkRequest & WorldNetwork,
): Promise<SharedServices> {
  const fork = await openRequested(shared, { ...shared.fork?.origin, ...request }, 'params[0].fork.url')
  try {
    const { names, accounts } = shared.network
    return await servicesOfNetwork(shared, { ...shared, fork, network: { ...fork.network, names, accounts } })
  } catch (error) {
    await fork.close()
    throw error
  }
}

/**
 * Opens a fork that a request names; `place` is where it names the URL. Options about the network describe the default chain, so
 * they do not apply.
 */
async function openRequested(
  { options, forkOpener }: SharedServices,
  request: ForkRequest & WorldNetwork,
  place: string,
): Promise<Fork> {
  if (request.forkUrl === undefined && options.forkCacheOnly !== true) {
    throw new NodeError(
      'invalidParams',
      `${place}: expected the URL of the chain to fork: this chain continues none`,
    )
  }
  return forkOpener.open({
    ...options,
    forkBlockNumber: undefined,
    forkTransaction: undefined,
    forkHeaders: undefined,
    forkChainId: undefined,
    ...OF_DEFAULT_CHAIN,
    ...request,
  })
}
