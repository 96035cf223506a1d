/** What a client asks of logs. */

import type { Address, Hash } from '../base/hex.ts'

/** A filter by origin and topics; empty lists match everything. */
export interface LogFilter {
  readonly addresses: readonly Address[]
  /** By position; `undefined` is anything, a list is "one of". */
  readonly topics: readonly (readonly Hash[] | undefined)[]
}
