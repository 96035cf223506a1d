/** The kind of network 33: its EIPs, its traits, and the presets for forks of its chains. */

import { NEXT_FORK } from '../../config/eips.ts'
import type { NetworkKind } from '../../config/network-kind.ts'
import { MERGED_MINING } from './consensus/header.ts'
import { mergedMining } from './consensus/merged-mining.ts'
import { appliedOptions } from './options.ts'

/** EIPs of merged-mining networks (node-chain 9.2: IP-398, 412, 438, 445, 446 and 544). */
export const MERGED_MINING_EIPS: readonly number[] = [3198, 3541, 1153, 3855, 3860, 5656]

/** EIPs whose transaction types the next fork adopts with its own prices (IP-543, 545, 546). */
const NEXT_FORK_EIPS: readonly number[] = [1559, 2930, 7702]

const CHAIN_IDS = [30n, 31n, 32n, 33n]

export const mergedMiningKind: NetworkKind = {
  name: MERGED_MINING,
  traits: (hardfork) => {
    const isNext = hardfork === NEXT_FORK
    return {
      ownEips: isNext ? [...MERGED_MINING_EIPS, ...NEXT_FORK_EIPS] : MERGED_MINING_EIPS,
      sharesEthereumFormats: false,
      hasFeeContract: true,
      acceptsLeadingZeros: true,
      tracesAsParity: false,
      showsZeroBaseFee: isNext,
      isStrict: isNext,
    }
  },
  // Only these networks have minimum gas prices.
  presetOf: ({ chainId, minimumGasPrice }) => {
    if (CHAIN_IDS.includes(chainId)) return `network-${chainId}`
    return minimumGasPrice === undefined ? undefined : 'network-33'
  },
  consensus: mergedMining,
  appliedOptions,
  ofDefaultChain: { systemTransaction: false, gasQuota: undefined, federation: undefined },
}
