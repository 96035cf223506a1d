/** Header fields that hard forks added, with their values in an empty block. */

import { byHardfork, isForkSince } from '../config/hardfork.ts'
import type { Hardfork } from '../config/hardfork.ts'
import type { Network } from '../config/network.ts'
import { blockForkOf } from '../config/network-traits.ts'
import type { Header } from '../consensus/header-fields.ts'
import { EMPTY_TRIE_HASH, NO_REQUESTS_HASH, ZERO_HASH } from './header.ts'

type ForkFields = Pick<Header, 'withdrawalsRoot' | 'parentBeaconBlockRoot' | 'requestsHash'>

/** The fields of a network's blocks; empty on a network with its own header format. */
export const forkFields = (network: Network): ForkFields => fieldsOf(blockForkOf(network))

const fieldsOf = byHardfork((hardfork): ForkFields => {
  const knows = (since: Hardfork) => isForkSince(hardfork, since)
  return {
    // Withdrawals (EIP-4895) and requests (EIP-7685) of a block replace these. There is no beacon chain (EIP-4788).
    ...(knows('shanghai') ? { withdrawalsRoot: EMPTY_TRIE_HASH } : {}),
    ...(knows('cancun') ? { parentBeaconBlockRoot: ZERO_HASH } : {}),
    ...(knows('prague') ? { requestsHash: NO_REQUESTS_HASH } : {}),
  }
})
