/** Loads the sources of the contracts that a transaction ran, once. */

import type { RpcMethods } from '../../lib/embed/rpc-types.ts'
import { ask } from './json-rpc.ts'

export type Sources = NonNullable<RpcMethods['dev_transactionSources']['result']>

let last: { readonly hash: string; readonly sources: Promise<Sources> } | undefined

/** The sources; empty if none are known. */
export function sourcesOf(hash: string): Promise<Sources> {
  if (last?.hash !== hash) {
    const sources = ask('dev_transactionSources', hash).then((found) => found ?? [])
    last = { hash, sources }
    sources.catch(() => {
      last = undefined
    })
  }
  return last.sources
}

/** The same, or the sources of a contract for an execution that is on no chain. */
export async function sourcesFor(hash: string | undefined, contract: string): Promise<Sources> {
  const ofTransaction = hash === undefined ? [] : await sourcesOf(hash)
  return ofTransaction.length > 0 ? ofTransaction : ((await ask('dev_contractSources', contract)) ?? [])
}
