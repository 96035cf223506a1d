/** Converts results of the stock EVM library to our form. */

import { EVMError } from '@ethereumjs/evm'
import type { ExecResult } from '@ethereumjs/evm'
import { toAddress, toHash } from '../../lib/base/hex.ts'
import type { Log, Status } from '../../lib/evm/outcome.ts'

/** Status of the library's result. */
export function statusOf({ exceptionError }: ExecResult): Status {
  if (exceptionError === undefined) return 'success'
  return exceptionError.error === EVMError.errorMessages.REVERT ? 'reverted' : 'failed'
}

/** The logs of a result; none when it failed. */
export function logsOf({ logs, exceptionError }: ExecResult): readonly Log[] {
  if (logs === undefined || exceptionError !== undefined) return []
  return logs.map(([address, topics, data]) => ({
    address: toAddress(address),
    topics: topics.map(toHash),
    data,
  }))
}

/** The exception's name; absent on success and revert. */
export function exceptionOf(result: ExecResult): string | undefined {
  if (statusOf(result) !== 'failed') return undefined
  // The library appends the position and a code hash to an invalid jump.
  return result.exceptionError?.error.replace(/ at .*$/, '')
}
