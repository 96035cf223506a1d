/** The coverage of the running session. */

import { RpcError, ask } from './json-rpc.ts'

/** Shares by file. */
export type Summary = Awaited<ReturnType<typeof ask<'dev_coverage'>>>['summary']

/** Shares by file; undefined while coverage is off. */
export async function coverage(): Promise<Summary | undefined> {
  try {
    return (await ask('dev_coverage')).summary
  } catch (error) {
    if (error instanceof RpcError && /coverage is off/i.test(error.message)) return undefined
    throw error
  }
}
