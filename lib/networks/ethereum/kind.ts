/** Networks of Ethereum. */

import { refuseOption } from '../../base/errors.ts'
import { NEXT_FORK } from '../../config/eips.ts'
import type { NetworkKind } from '../../config/network-kind.ts'
import { ethereum } from './consensus/ethereum.ts'

export const ethereumKind: NetworkKind = {
  name: 'ethereum',
  traits: (hardfork) => {
    if (hardfork === NEXT_FORK)
      refuseOption(
        `hard fork ${NEXT_FORK}: it is the next fork of network 33, and this network is one of Ethereum`,
      )
    return TRAITS
  },
  consensus: ethereum,
}

const TRAITS = {
  ownEips: undefined,
  sharesEthereumFormats: true,
  hasFeeContract: false,
  acceptsLeadingZeros: false,
  tracesAsParity: true,
  estimatesFreely: false,
  showsZeroBaseFee: false,
  isStrict: false,
}
