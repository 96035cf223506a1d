/** Header fields of EIPs with a fixed value in empty blocks. miner/seal.ts sets base fee and blob fields. */

import { activeEips } from '../config/active-eips.ts'
import type { ActiveEips, HardforkChoice } from '../config/active-eips.ts'
import type { Header } from '../consensus/header-fields.ts'
import { EMPTY_TRIE_HASH, NO_REQUESTS_HASH, ZERO_HASH } from './header.ts'

type ForkFields = Pick<Header, 'withdrawalsRoot' | 'parentBeaconBlockRoot' | 'requestsHash'>

/**
 * A block with withdrawals or requests replaces their two fields (EIP-4895 and 7685). The beacon root is always zero, because
 * there is no beacon chain (EIP-4788).
 */
const EMPTY_VALUES = {
  withdrawalsRoot: EMPTY_TRIE_HASH,
  parentBeaconBlockRoot: ZERO_HASH,
  requestsHash: NO_REQUESTS_HASH,
} as const satisfies ForkFields

const fieldsByNetwork = new WeakMap<HardforkChoice, ForkFields>()

/** The fields that the EIPs of a network add, computed once for each network; empty if no EIP adds one. */
export function forkFields(network: HardforkChoice): ForkFields {
  let fields = fieldsByNetwork.get(network)
  if (fields === undefined) fieldsByNetwork.set(network, (fields = fieldsOf(activeEips(network))))
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
