/** What a new chain begins with: its genesis, a block of a remote chain, or another local chain. */

import type { NamedContracts } from '../insight/artifacts/named-contracts.ts'
import { Chain } from '../chain/chain.ts'
import { genesisBlock, genesisState } from '../chain/genesis.ts'
import type { ChainForks, Fork } from '../fork/fork.ts'
import type { Capture, ChainInstance } from '../chain/instance/chain-instance.ts'
import type { Keystore } from '../accounts/keystore.ts'
import type { Sidecars, SidecarsByHash } from '../chain/mempool/sidecars.ts'
import { Clock } from '../chain/miner/clock.ts'
import type { SharedServices } from './shared-services.ts'

/** The chain whose blocks and state a world begins with. */
export interface ParentChain {
  readonly chain: Chain
  readonly clock: Clock
  readonly keystore: Keystore
  readonly sidecars: Sidecars
  readonly forks: ChainForks
  readonly namedContracts: NamedContracts
  /** A snapshot of the chain; its current state by default. */
  readonly at: Capture | undefined
}

/** A chain to create. */
export interface NewChain {
  /** Id of the world; absent for the default chain. */
  readonly id?: string
  /** Absent for a chain that begins with its genesis, or with a block of a remote chain. */
  readonly parent?: ParentChain
}

/** Creates chain and clock: from genesis, from the newest block of a remote chain, or from another local chain. */
export function createChainAndClock(
  instance: ChainInstance,
  { network, funded, host, forkHead, keptStates }: SharedServices,
  parent: ParentChain | undefined,
): { readonly chain: Chain; readonly clock: Clock } {
  if (parent === undefined && forkHead !== undefined)
    return { chain: new Chain(instance, forkHead, keptStates), clock: new Clock(instance, host.now) }
  if (parent === undefined) {
    const state = genesisState(network, funded)
    const nowSeconds = BigInt(Math.floor(host.now() / 1000))
    const block = genesisBlock(network, state, nowSeconds)
    const chain = new Chain(instance, { block, state }, keptStates)
    return { chain, clock: new Clock(instance, host.now) }
  }
  const { at } = parent
  const head = at === undefined ? parent.chain.head : parent.chain.captured.in(at)
  const chain = parent.chain.fork(instance, head)
  const clock = new Clock(instance, host.now)
  clock.restore(at === undefined ? parent.clock.capture() : parent.clock.captured.in(at))
  return { chain, clock }
}

/** The fork that a chain begins with: that of its parent, or its own. */
export function initialFork({ fork }: SharedServices, parent: ParentChain | undefined): Fork | undefined {
  if (parent === undefined) return fork
  const { forks, at } = parent
  return (at === undefined ? forks.current : forks.in(at))?.share()
}

/** The blobs that a world begins with. */
export function initialSidecars(parent: ParentChain | undefined): SidecarsByHash | undefined {
  if (parent === undefined) return undefined
  const { sidecars, at } = parent
  return at === undefined ? sidecars.all : sidecars.in(at)
}
