/** What the kinds of networks have and lack, as data. How they behave is in lib/consensus. */

import type { Hardfork } from './hardfork.ts'

/** What a network has or lacks because of its kind. */
export interface NetworkTraits {
  /**
   * Hard fork whose additions blocks have (withdrawals, blobs, system contracts, execution requests), if it is not the
   * network's hard fork.
   */
  readonly blockFork: Hardfork | undefined
  /** Whether a genesis file of geth or a state of Anvil can describe the chain. */
  readonly sharesEthereumFormats: boolean
  /** Whether fees go to a contract, which a system transaction can pay out. */
  readonly hasFeeContract: boolean
  /** Whether price and gas of legacy transactions may have leading zeros, so that hashes cover the bytes as received. */
  readonly acceptsLeadingZeros: boolean
  /** Whether flat traces have every call; otherwise they have those that ran code. */
  readonly tracesEveryCall: boolean
}

/** The traits of each kind of network. */
export const TRAITS = {
  'merged-mining': {
    // None of the additions is older than shanghai.
    blockFork: 'london',
    sharesEthereumFormats: false,
    hasFeeContract: true,
    acceptsLeadingZeros: true,
    tracesEveryCall: false,
  },
  ethereum: {
    blockFork: undefined,
    sharesEthereumFormats: true,
    hasFeeContract: false,
    acceptsLeadingZeros: false,
    tracesEveryCall: true,
  },
} as const satisfies Readonly<Record<string, NetworkTraits>>

/** The hard fork whose additions the blocks of a network have. */
export const blockForkOf = ({
  blockFork,
  hardfork,
}: Pick<NetworkTraits, 'blockFork'> & { readonly hardfork: Hardfork }): Hardfork => blockFork ?? hardfork
