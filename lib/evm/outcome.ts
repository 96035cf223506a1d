/** What this project keeps of an execution; the library's run state is dropped. */

import { EVMError } from '@ethereumjs/evm'
import type { ExecResult } from '@ethereumjs/evm'
import { toAddress, toHash } from '../base/hex.ts'
import type { Address, Hash } from '../base/hex.ts'

/** An event a contract emitted. */
export interface Log {
  readonly address: Address
  readonly topics: readonly Hash[]
  readonly data: Uint8Array
}

/** How an execution ended: normally, by REVERT, or by running into an exception such as out of gas. */
export type Status = 'success' | 'reverted' | 'failed'

/** Result of a transaction or of a simulated call. */
export interface Outcome {
  readonly status: Status
  /** Gas paid for: intrinsic cost and execution, after refunds. */
  readonly gasUsed: bigint
  /** Gas that had to be at hand: `gasUsed` without the refunds. */
  readonly gasNeeded: bigint
  readonly logs: readonly Log[]
  readonly logsBloom: Uint8Array
  /** Return data, revert data, or the code of a created contract. */
  readonly returnData: Uint8Array
  /** Address of a creation, also of a failed one. */
  readonly contractAddress: Address | undefined
  /** The exception's name when the status is `failed`. */
  readonly exception: string | undefined
}

/** The bloom of no logs, shared by all outcomes that have none. */
export const EMPTY_BLOOM = new Uint8Array(256)

/** How the library's result ended. */
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
  // The library adds to an invalid jump where it happened, with a hash of the code.
  return result.exceptionError?.error.replace(/ at .*$/, '')
}
