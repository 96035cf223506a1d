/** Addresses and topics of eth_getLogs, eth_newFilter and eth_subscribe. */

import type { Address, Hash } from '../base/hex.ts'

/** A filter by address and topics. An empty list of addresses or positions matches everything. */
export interface LogFilter {
  readonly addresses: readonly Address[]
  /**
   * By position: `undefined` matches any topic and also none (node-rpc 6.1; geth demands one), a list matches one of its topics.
   * No list is empty.
   */
  readonly topics: readonly (readonly Hash[] | undefined)[]
}
