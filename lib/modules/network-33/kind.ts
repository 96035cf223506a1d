/** Networks with merged mining: network 33, and those of the same software. */

import { MERGED_MINING_EIPS, NEXT_FORK, NEXT_FORK_EIPS } from '../../config/eips.ts'
import type { NetworkKind } from '../../config/network-kind.ts'
import { MERGED_MINING } from './consensus/fields.ts'
import { mergedMining } from './consensus/merged-mining.ts'

/** Chain ids of the networks with a preset. */
const CHAIN_IDS = [30n, 31n, 32n, 33n]

export const mergedMiningKind: NetworkKind = {
  name: MERGED_MINING,
  traits: (hardfork) => (hardfork === NEXT_FORK ? { ...TRAITS, ...NEXT_TRAITS } : TRAITS),
  // Only these networks have minimum gas prices.
  presetOf: ({ chainId, minimumGasPrice }) => {
    if (CHAIN_IDS.includes(chainId)) return `network-${chainId}`
    return minimumGasPrice === undefined ? undefined : 'network-33'
  },
  consensus: mergedMining,
}

const TRAITS = {
  ownEips: MERGED_MINING_EIPS,
  sharesEthereumFormats: false,
  hasFeeContract: true,
  acceptsLeadingZeros: true,
  tracesAsParity: false,
  estimatesFreely: true,
  showsZeroBaseFee: false,
  isStrict: false,
}

/** The traits that the next fork changes. */
const NEXT_TRAITS = {
  ownEips: [...MERGED_MINING_EIPS, ...NEXT_FORK_EIPS],
  showsZeroBaseFee: true,
  isStrict: true,
}
