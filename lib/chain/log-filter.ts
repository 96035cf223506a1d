/** Addresses and topics of eth_getLogs, eth_newFilter and eth_subscribe. */

import type { Address, Hash } from '../base/hex.ts'

/** A filter by address and topics. An empty list of addresses or positions matches everything. */
export interface LogFilter {
  readonly addresses: readonly Address[]
  /** By position: `undefined` matches any topic, but no log without a topic there. A list, which is never empty, matches one of its topics. */
  readonly topics: readonly (readonly Hash[] | undefined)[]
}
