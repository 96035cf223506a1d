/** Differences between the kinds of networks as data. Differences in behaviour are in lib/networks/consensus. */

import { refuseOption } from '../base/errors.ts'
import { MERGED_MINING_EIPS, NEXT_FORK_EIPS } from './eips.ts'
import { NEXT_FORK, type NetworkFork } from './hardfork.ts'

/** The traits of a network that follow from its kind. */
export interface NetworkTraits {
  /** Numbers of the network's EIPs, if they are not those of its hard fork. */
  readonly ownEips: readonly number[] | undefined
  /** Accepted transaction types in addition to those of the preset. */
  readonly addedTypes: readonly number[]
  /** Whether a genesis file of geth or a state of Anvil can describe the chain. */
  readonly sharesEthereumFormats: boolean
  /** Whether fees go to a contract, which a system transaction can pay out. */
  readonly hasFeeContract: boolean
  /** Whether price and gas of legacy transactions may have leading zeros, so that hashes cover the bytes as received. */
  readonly acceptsLeadingZeros: boolean
  /** Whether flat traces are those of Parity; otherwise they are those of the reference node of network 33 (node-chain 3.2). */
  readonly tracesAsParity: boolean
  /** Whether trace_filter chooses whole transactions by sender and receiver; otherwise it chooses single calls (node-chain 3.1). */
  readonly filtersTransactions: boolean
  /** Whether estimates ignore the gas of the request from release 9.1.0 on (node-next, pull request 3520). */
  readonly estimatesFreely: boolean
  /** Whether blocks show a base fee of zero, by which clients know that they can send typed transactions (IP-546). */
  readonly showsZeroBaseFee: boolean
  /**
   * Whether requests are refused that Ethereum completes or skips: a transaction to send without its type, a call with an empty list
   * of authorizations or a tip without a maximum, and an authorization that can never be valid (node-next 2.5 and 2.6).
   */
  readonly isStrict: boolean
}

/** The traits of each kind of network. `next` replaces some of them after the network's next fork. */
const TRAITS = {
  'merged-mining': {
    ownEips: MERGED_MINING_EIPS,
    addedTypes: [],
    sharesEthereumFormats: false,
    hasFeeContract: true,
    acceptsLeadingZeros: true,
    tracesAsParity: false,
    filtersTransactions: true,
    estimatesFreely: true,
    showsZeroBaseFee: false,
    isStrict: false,
    next: {
      ownEips: [...MERGED_MINING_EIPS, ...NEXT_FORK_EIPS],
      addedTypes: [1, 2, 4],
      showsZeroBaseFee: true,
      isStrict: true,
    },
  },
  ethereum: {
    ownEips: undefined,
    addedTypes: [],
    sharesEthereumFormats: true,
    hasFeeContract: false,
    acceptsLeadingZeros: false,
    tracesAsParity: true,
    filtersTransactions: false,
    estimatesFreely: false,
    showsZeroBaseFee: false,
    isStrict: false,
    next: undefined,
  },
} as const satisfies Readonly<
  Record<string, NetworkTraits & { readonly next: Partial<NetworkTraits> | undefined }>
>

/** The traits of a kind of network under a fork. @throws NodeError 'invalidOption' if it has no such fork */
export function traitsOf(kind: keyof typeof TRAITS, hardfork: NetworkFork): NetworkTraits {
  const { next, ...traits } = TRAITS[kind]
  if (hardfork !== NEXT_FORK) return traits
  if (next !== undefined) return { ...traits, ...next }
  refuseOption(
    `hard fork ${NEXT_FORK}: it is the next fork of network 33, and this network is one of Ethereum`,
  )
}
