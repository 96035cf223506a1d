/** Generates random logs of a few addresses and topics, and filters that match some of them. */

import fc from 'fast-check'
import type { Address, Hash } from '../../../lib/base/hex.ts'
import { toWord } from '../../../lib/base/hex.ts'
import type { LogFilter } from '../../../lib/chain/log-index.ts'
import type { Log } from '../../../lib/evm/outcome.ts'
import { addressOf } from '../../support/transactions.ts'

export const ADDRESSES: readonly Address[] = [1, 2, 3].map(addressOf)
export const TOPICS: readonly Hash[] = [1n, 2n, 3n].map(toWord)

export const anyLog: fc.Arbitrary<Log> = fc.record({
  address: fc.constantFrom(...ADDRESSES),
  topics: fc.array(fc.constantFrom(...TOPICS), { maxLength: 4 }),
  data: fc.constant(new Uint8Array(0)),
})

export const anyFilter: fc.Arbitrary<LogFilter> = fc.record({
  addresses: fc.uniqueArray(fc.constantFrom(...ADDRESSES, addressOf(99)), { maxLength: 2 }),
  topics: fc.array(
    fc.option(fc.uniqueArray(fc.constantFrom(...TOPICS, toWord(99n)), { minLength: 1, maxLength: 2 }), {
      nil: undefined,
    }),
    { maxLength: 4 },
  ),
})
