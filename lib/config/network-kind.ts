/** A kind of network: what its networks have in common, and how they differ from other kinds beyond the values of presets. */

import type { NetworkFork } from './eips.ts'

/** Traits that follow from a network's kind and hard fork. Its consensus has the differences in behaviour. */
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
   * Whether flat traces have Parity's form, and trace_filter selects single calls. On network 33 the traces differ, and the filter
   * selects whole transactions by sender and receiver (node-chain 3.1 and 3.2).
   */
  readonly tracesAsParity: boolean
  /** Whether blocks show a base fee of zero, which tells clients that they can send typed transactions (IP-546). */
  readonly showsZeroBaseFee?: boolean
  /**
   * Whether to refuse requests that Ethereum completes or skips: a transaction to send without its type, a call with an empty list
   * of authorizations or a tip without a maximum, and an authorization that can never be valid (node-next 2.5 and 2.6).
   */
  readonly isStrict?: boolean
  /** Whether estimates ignore the gas of the request (node-next, pull request 3520, of release 9.1.0). */
  readonly estimatesFreely?: boolean
  /** Whether each block undoes what requests have added to the time (node-rpc 7.3). */
  readonly forgetsTime?: boolean
  /** Whether an unsigned transaction encodes a price of zero as one zero byte. */
  readonly writesZeroPrice?: boolean
  /** The client release that the node reports. */
  readonly release?: string
}

/**
 * A kind of network. Ethereum's is in lib/networks/ethereum, others are in modules. lib/networks/consensus/consensus.ts declares
 * its member `consensus`, because this room imports no other.
 */
export interface NetworkKind {
  readonly name: string
  /** @throws NodeError 'invalidOption' if the kind has no such hard fork */
  readonly traits: (hardfork: NetworkFork) => NetworkTraits
  /** The preset for a fork of this remote chain; undefined if the chain is of another kind. */
  readonly presetOf?: (remote: {
    readonly chainId: bigint
    readonly minimumGasPrice?: bigint | undefined
  }) => string | undefined
}
