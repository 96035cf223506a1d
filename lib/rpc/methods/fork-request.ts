/** Schemas of params that name a remote chain to fork. */

import * as z from 'zod'
import {
  FORK_BLOCK_EXPECTED,
  HEADERS_EXPECTED,
  REMOTE_URL_EXPECTED,
  readForkBlock,
  readHeaders,
  readRemoteUrl,
} from '../../config/fork-options.ts'
import type { ForkRequest } from '../../fork-requests.ts'
import { hash } from '../../schema/wire.ts'

/** A member that `read` parses; null means absent. */
function member<T>(expected: string, read: (given: unknown) => T | undefined): z.ZodType<T | undefined> {
  return z.unknown().transform((given, context) => {
    if (given === undefined || given === null) return undefined
    const value = read(given)
    if (value === undefined) context.addIssue({ code: 'custom', message: `expected ${expected}` })
    return value
  })
}

const url = member(REMOTE_URL_EXPECTED, readRemoteUrl)
const blockNumber = member(FORK_BLOCK_EXPECTED, readForkBlock)

/** A list of "name: value", or an object as in the configuration of Hardhat. */
const headers = member(HEADERS_EXPECTED, (given) =>
  typeof given === 'object' && given !== null && !Array.isArray(given)
    ? readHeaders(Object.entries(given).map(([name, value]) => `${name}: ${String(value)}`))
    : readHeaders(given),
)

const RESET_EXPECTED = 'expected {forking: {jsonRpcUrl, blockNumber, httpHeaders}}'

const forking = z
  .object({ jsonRpcUrl: url, blockNumber, httpHeaders: headers }, { error: RESET_EXPECTED })
  .partial()
  .transform(({ jsonRpcUrl, blockNumber, httpHeaders }) =>
    request({ forkUrl: jsonRpcUrl, forkBlockNumber: blockNumber, forkHeaders: httpHeaders }),
  )

/** The options of a reset: the remote chain to continue. Clients that want no fork send members without values. */
export const resetOptions: z.ZodType<ForkRequest | undefined> = z
  .object({ forking: forking.nullish() }, { error: RESET_EXPECTED })
  .transform((options) => options.forking ?? undefined)

const WORLD_FORK_EXPECTED = 'expected {url, blockNumber, transaction, headers}'

/** The remote chain that a world continues. */
export const worldFork: z.ZodType<ForkRequest> = z
  .strictObject({ url, blockNumber, transaction: hash.optional(), headers }, { error: WORLD_FORK_EXPECTED })
  .partial()
  .transform(
    ({ url: forkUrl, blockNumber: forkBlockNumber, transaction: forkTransaction, headers: forkHeaders }) =>
      request({ forkUrl, forkBlockNumber, forkTransaction, forkHeaders }) ?? {},
  )

/** The members that have values; undefined if none has. */
function request(given: ForkRequest): ForkRequest | undefined {
  const members = Object.entries(given).filter(([, value]) => value !== undefined)
  return members.length === 0 ? undefined : Object.fromEntries(members)
}
