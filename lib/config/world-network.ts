/** Resolves the network of a world that does not have the network of its node. */

import type { Network } from './network.ts'
import type { Options } from './options.ts'
import { resolveNetwork } from './resolve-network.ts'

/** Members of a world's network that replace those of its node. */
export type WorldNetwork = Partial<Pick<Options, 'network' | 'hardfork' | 'chainId'>>

/** Replaces the options that describe the default chain, and those that not every network accepts. */
export const OF_DEFAULT_CHAIN = {
  network: undefined,
  genesis: undefined,
  hardfork: undefined,
  chainId: undefined,
  networkId: undefined,
  baseFee: undefined,
  systemTransaction: false,
  federation: undefined,
  gasQuota: undefined,
  number: 0n,
} as const satisfies Partial<Options>

/**
 * The network of a world: a preset with the options that fit every network, or that of the node with another hard fork or chain id.
 * The accounts are those of the node.
 * @throws NodeError 'invalidOption'
 */
export function networkOfWorld(
  own: WorldNetwork,
  { options, network }: { readonly options: Options; readonly network: Network },
): Network {
  const { hardfork = network.hardfork, chainId = network.chainId } = own
  const networkId = own.chainId === undefined ? options.networkId : undefined
  // The network of the node can be that of a remote chain.
  const likeNode = { network: options.network ?? network.name, hardfork, chainId, networkId, number: 0n }
  const members = own.network === undefined ? likeNode : { ...OF_DEFAULT_CHAIN, ...own }
  return { ...resolveNetwork({ ...options, ...members }), accounts: network.accounts }
}
