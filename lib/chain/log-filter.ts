/** The filter of a log query, a log filter or a subscription. */

import type { Address, Hash } from '../base/hex.ts'

/** A filter by address and topics; empty lists match everything. */
export interface LogFilter {
  readonly addresses: readonly Address[]
  /** By position: `undefined` matches any topic, a list matches one of its topics. */
  readonly topics: readonly (readonly Hash[] | undefined)[]
}
