/** Differences between the kinds of networks as data. Differences in behaviour are in lib/networks/consensus. */

import { MERGED_MINING_EIPS } from './eips.ts'

/** The traits of a network that follow from its kind. */
export interface NetworkTraits {
  /** Numbers of the network's EIPs, if they are not those of its hard fork. */
  readonly ownEips: readonly number[] | undefined
  /** Whether a genesis file of geth or a state of Anvil can describe the chain. */
  readonly sharesEthereumFormats: boolean
  /** Whether fees go to a contract, which a system transaction can pay out. */
  readonly hasFeeContract: boolean
  /** Whether price and gas of legacy transactions may have leading zeros, so that hashes cover the bytes as received. */
  readonly acceptsLeadingZeros: boolean
  /** Whether flat traces contain every call; otherwise they contain the calls that ran code. */
  readonly tracesEveryCall: boolean
}

/** The traits of each kind of network. */
export const TRAITS = {
  'merged-mining': {
    ownEips: MERGED_MINING_EIPS,
    sharesEthereumFormats: false,
    hasFeeContract: true,
    acceptsLeadingZeros: true,
    tracesEveryCall: false,
  },
  ethereum: {
    ownEips: undefined,
    sharesEthereumFormats: true,
    hasFeeContract: false,
    acceptsLeadingZeros: false,
    tracesEveryCall: true,
  },
} as const satisfies Readonly<Record<string, NetworkTraits>>
