/** What the node knows about the last run: failures, gas and coverage. Where they are in a file is told by lenses.ts. */

import type { FailureResult } from '../../lib/schema/explanation-results.ts'
import type { GasReport } from '../../lib/modules/gas-report/results.ts'
import type { IstanbulCoverage } from '../../lib/modules/coverage/results.ts'

/** Where a node is without a setting, as `dev-node explain` looks for it. */
const USUAL_URLS = ['http://127.0.0.1:4444/', 'http://127.0.0.1:8545/']

/** A node reads its artifacts before its first answer. */
const TIMEOUT_MS = 10_000

/** Facts of a node about the last run. */
export interface NodeFacts {
  readonly url: string
  /** Newest first. */
  readonly failures: readonly FailureResult[]
  /** Absent without a gas report. */
  readonly gas: GasReport | undefined
  /** Absent if executions are not counted. */
  readonly coverage: IstanbulCoverage | undefined
}

/** The places of the node: the given URL, that of the environment, or the usual ones. */
export function nodeUrls(given: string, environment: NodeJS.ProcessEnv = process.env): readonly string[] {
  const url = given || environment['DEV_NODE_URL']
  return url ? [url] : USUAL_URLS
}

/** The facts of the first node that answers; undefined if none does. */
export async function readFacts(urls: readonly string[]): Promise<NodeFacts | undefined> {
  for (const url of urls) {
    const failures = await answer<readonly FailureResult[]>(url, 'dev_failures')
    if (failures === undefined) continue
    const [gas, coverage] = await Promise.all([
      answer<GasReport | null>(url, 'dev_gasReport'),
      answer<{ readonly istanbul: IstanbulCoverage }>(url, 'dev_coverage'),
    ])
    return { url, failures, gas: gas ?? undefined, coverage: coverage?.istanbul }
  }
  return undefined
}

/** The result of a method without params; undefined for an error and if no node answers. */
async function answer<Result>(url: string, method: string): Promise<Result | undefined> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [] }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    // The node answers by its schemas, from which the types are.
    return ((await response.json()) as { readonly result?: Result }).result
  } catch {
    return undefined
  }
}
