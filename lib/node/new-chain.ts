/** The beginning of a new chain: its genesis, a block of a remote chain, or another local chain. */

import type { NamedContracts } from '../insight/artifacts/named-contracts.ts'
import { oncePer } from '../base/once.ts'
import { Chain } from '../chain/chain.ts'
import type { Network } from '../config/network.ts'
import { genesisBlock, genesisState } from '../chain/genesis.ts'
import type { ChainForks } from '../fork/fork.ts'
import type { Capture, ChainInstance } from '../chain/instance/chain-instance.ts'
import type { Keystore } from '../accounts/keystore.ts'
import type { Sidecars } from '../chain/mempool/mempool.ts'
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
  /** The time at which the world leaves the chain. */
  readonly at: Capture
}

export interface NewChain {
  readonly id?: string
  /** Absent for a chain that begins with its genesis, or with a block of a remote chain. */
  readonly parent?: ParentChain
  /** The clock whose time a world without parent takes; absent for the default chain. */
  readonly clock?: Clock
}

/** Creates chain and clock: from genesis, from the newest block of a remote chain, or from another local chain. */
export function createChainAndClock(
  instance: ChainInstance,
  { network, funding, host, forkHead, keptStates, options }: SharedServices,
  { parent, clock: other }: NewChain,
): { readonly chain: Chain; readonly clock: Clock } {
  const clock = new Clock(instance, host.now, network.forgetsTime)
  if (parent === undefined) {
    if (other !== undefined) clock.restore(other.capture())
    // If a chain begins at a number, empty blocks a second apart follow its genesis.
    const startedAt = other === undefined ? clock.now - options.number : clock.now
    const head = forkHead ?? genesisEntry(network, funding, startedAt)
    return { chain: new Chain(instance, head, keptStates), clock }
  }
  const chain = parent.chain.fork(instance, parent.chain.captured.in(parent.at))
  clock.restore(parent.clock.captured.in(parent.at))
  return { chain, clock }
}

/** States of genesis blocks, shared by worlds of one network. */
const genesisStateOf = oncePer((network: Network) =>
  oncePer((funding: SharedServices['funding']) => genesisState(network, funding)),
)

function genesisEntry(network: Network, funding: SharedServices['funding'], startedAt: bigint) {
  const state = genesisStateOf(network)(funding)
  return { block: genesisBlock(network, state, startedAt), state }
}
