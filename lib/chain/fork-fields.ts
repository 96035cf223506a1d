/** Header fields that EIPs added, with their values in an empty block. */

import { activeEips } from '../config/active-eips.ts'
import type { ActiveEips, ForkChoice } from '../config/active-eips.ts'
import type { Header } from '../consensus/header-fields.ts'
import { EMPTY_TRIE_HASH, NO_REQUESTS_HASH, ZERO_HASH } from './header.ts'

type ForkFields = Pick<Header, 'withdrawalsRoot' | 'parentBeaconBlockRoot' | 'requestsHash'>

/** Withdrawals and requests of a block replace these; there is no beacon chain (EIP-4895, 7685 and 4788). */
const EMPTY_VALUES = {
  withdrawalsRoot: EMPTY_TRIE_HASH,
  parentBeaconBlockRoot: ZERO_HASH,
  requestsHash: NO_REQUESTS_HASH,
} as const satisfies ForkFields

const known = new WeakMap<ForkChoice, ForkFields>()

/** The fields that the network's EIPs added, decided once for each network; empty on a network with its own header format. */
export function forkFields(network: ForkChoice): ForkFields {
  let fields = known.get(network)
  if (fields === undefined) known.set(network, (fields = fieldsOf(activeEips(network))))
  return fields
}

function fieldsOf({ headerFields }: ActiveEips): ForkFields {
  const { withdrawalsRoot, parentBeaconBlockRoot, requestsHash } = EMPTY_VALUES
  return {
    ...(headerFields.has('withdrawalsRoot') ? { withdrawalsRoot } : {}),
    ...(headerFields.has('parentBeaconBlockRoot') ? { parentBeaconBlockRoot } : {}),
    ...(headerFields.has('requestsHash') ? { requestsHash } : {}),
  }
}
