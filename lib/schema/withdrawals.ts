/** Schema of withdrawals in params (execution-apis, `Withdrawal`). */

import * as z from 'zod'
import { optionalWith } from './optional.ts'
import { address, quantity64 } from './wire.ts'

/** A withdrawal in params. */
export const withdrawal = z.strictObject(
  {
    index: optionalWith(quantity64, '0x0'),
    validatorIndex: optionalWith(quantity64, '0x0'),
    address,
    /** Gwei. */
    amount: quantity64,
  },
  { error: 'expected a withdrawal: an object with index, validatorIndex, address and amount' },
)
