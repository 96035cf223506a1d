/** A kind of network: what its networks share, and differs from other kinds beyond the values of presets. */

import type { NetworkFork } from './eips.ts'

/** The traits of a network that follow from its kind and hard fork. Differences in behaviour are in its consensus. */
export interface NetworkTraits {
  /** Numbers of the network's EIPs; undefined if its hard fork determines them. */
  readonly ownEips: readonly number[] | undefined
  /** Whether a genesis file of geth or a state of Anvil can describe the chain. */
  readonly sharesEthereumFormats: boolean
  /** Whether fees go to a contract, which a system transaction can pay out. */
  readonly hasFeeContract?: boolean
  /** Whether price and gas of legacy transactions may have leading zeros, so that hashes cover the bytes as received. */
  readonly acceptsLeadingZeros?: boolean
  /**
   * Whether flat traces have Parity's form, and trace_filter chooses single calls. On network 33 the traces differ, and the filter
   * chooses whole transactions by sender and receiver (node-chain 3.1 and 3.2).
   */
  readonly tracesAsParity: boolean
  /** Whether blocks show a base fee of zero, by which clients know that they can send typed transactions (IP-546). */
  readonly showsZeroBaseFee?: boolean
  /**
   * Whether requests are refused that Ethereum completes or skips: a transaction to send without its type, a call with an empty list
   * of authorizations or a tip without a maximum, and an authorization that can never be valid (node-next 2.5 and 2.6).
   */
  readonly isStrict?: boolean
  /** Whether estimates ignore the gas of the request (node-next, pull request 3520, of release 9.1.0). */
  readonly estimatesFreely?: boolean
  /** Whether each block uses up what requests have added to the time (node-rpc 7.3). */
  readonly forgetsTime?: boolean
  /** Whether an unsigned transaction has one zero byte as its price, if that is zero. */
  readonly writesZeroPrice?: boolean
  /** The release of the client that the node follows, as it says to clients. */
  readonly release?: string
}

/**
 * A kind of network. Ethereum's is in lib/networks/ethereum, others are in modules. Its member `consensus` is declared in
 * lib/networks/consensus/consensus.ts, because this room imports no other.
 */
export interface NetworkKind {
  /** The value of `kind` in presets. */
  readonly name: string
  /** @throws NodeError 'invalidOption' if the kind has no such hard fork */
  readonly traits: (hardfork: NetworkFork) => NetworkTraits
  /** The preset for a fork of this remote chain; undefined if the chain is of another kind. */
  readonly presetOf?: (remote: {
    readonly chainId: bigint
    readonly minimumGasPrice?: bigint | undefined
  }) => string | undefined
}
