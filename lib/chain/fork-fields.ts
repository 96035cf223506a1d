/** Header fields that came with hard forks and have the same value in every block of a local chain. */

import { isForkSince } from '../config/hardfork.ts'
import type { Hardfork } from '../config/hardfork.ts'
import type { Network } from '../config/network.ts'
import { EMPTY_TRIE_HASH, NO_REQUESTS_HASH, ZERO_HASH } from './header.ts'
import type { Header } from './header.ts'

type ForkFields = Pick<Header, 'withdrawalsRoot' | 'parentBeaconBlockRoot' | 'requestsHash'>

/** The fields of the network's hard fork; none on a network with its own header. */
export function forkFields({ kind, hardfork }: Network): ForkFields {
  if (kind === 'merged-mining') return {}
  const knows = (since: Hardfork) => isForkSince(hardfork, since)
  return {
    // No validators, so no withdrawals (EIP-4895), no beacon chain (4788) and no requests (7685).
    ...(knows('shanghai') ? { withdrawalsRoot: EMPTY_TRIE_HASH } : {}),
    ...(knows('cancun') ? { parentBeaconBlockRoot: ZERO_HASH } : {}),
    ...(knows('prague') ? { requestsHash: NO_REQUESTS_HASH } : {}),
  }
}
