/** Starts the node of a test run, or several of them in processes, and passes their URLs to the workers. */

import { availableParallelism } from 'node:os'
import { NodeError } from '../base/errors.ts'
import type { OptionsInput } from '../config/options.ts'
import { resolveOptions } from '../config/resolve-options.ts'
import { readWhole, show } from '../config/values.ts'
import { withCacheFolder } from '../fork/cache-folder.ts'
import { startWithOptions } from '../server/start.ts'
import { startNodeProcess } from './node-processes.ts'
import type { NodeProcess } from './node-processes.ts'

/** Settings of the nodes of a run. */
export interface RunSettings {
  /** Options of every node, named as createNode takes them. */
  readonly devNode?: OptionsInput | undefined
  /** Number of nodes, each in a process; `cores` is one for each core. By default one node in the process of the run. */
  readonly processes?: number | 'cores' | undefined
}

/** The nodes of a run. */
export interface RunNodes {
  /** In the order of the workers that they serve. */
  readonly urls: readonly string[]
  /** Closes all nodes. */
  readonly close: () => Promise<void>
}

type Environment = Record<string, string | undefined>

/** Maximum number of processes. */
const MAX_PROCESSES = 256

/**
 * Starts nodes for a test run and sets DEV_NODE_URL, the first of them, and DEV_NODE_URLS, all of them, in the environment, which
 * workers inherit. DEV_NODE_PROCESSES in the environment precedes `processes`. Console output of contracts is printed to stderr,
 * except with the option `quiet`.
 * @throws NodeError 'invalidOption', 'addressInUse'
 */
export async function startNodes(
  { devNode = {}, processes }: RunSettings = {},
  environment: Environment = process.env,
): Promise<RunNodes> {
  const count = countOf(environment['DEV_NODE_PROCESSES'] ?? processes ?? 1)
  const values = { port: 0, ...devNode }
  // Invalid options are refused before a process starts.
  const options = withCacheFolder(resolveOptions({ values }), environment)
  const nodes = count > 1 ? await startProcesses(values, count) : []
  if (nodes.length === 0) {
    // stderr, because Jest prints there; stdout may contain results for programs.
    nodes.push(await startWithOptions(options, options.quiet ? {} : { onConsole: console.error }))
  }
  const urls = nodes.map(({ url }) => url)
  environment['DEV_NODE_URL'] = urls[0]
  // A run with one node takes it from DEV_NODE_URL, which the user may change.
  if (urls.length > 1) environment['DEV_NODE_URLS'] = urls.join(' ')
  else delete environment['DEV_NODE_URLS']
  return { urls, close: () => closeAll(nodes) }
}

async function startProcesses(values: OptionsInput, count: number): Promise<NodeProcess[]> {
  refuseShared(values, count)
  const starts = Array.from({ length: count }, (_, index) =>
    // Each node adds its coverage to that of the earlier nodes.
    startNodeProcess(index === 0 ? values : { ...values, coverageMerge: true }, console.error),
  )
  const settled = await Promise.allSettled(starts)
  const started = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  const failed = settled.find((one) => one.status === 'rejected')
  if (failed === undefined) return started
  await Promise.allSettled(started.map(({ close }) => close()))
  throw failed.reason
}

/** Options that name one thing, which several nodes cannot share. */
const UNSHARED = ['ipc', 'state', 'dumpState', 'gasReport'] as const

function refuseShared(values: OptionsInput, count: number): void {
  const refused = UNSHARED.find((name) => values[name] !== undefined && values[name] !== false)
  const name = refused ?? (Number(values.port) === 0 ? undefined : 'port')
  if (name !== undefined) {
    throw new NodeError('invalidOption', `${name}: ${count} processes cannot share it; use one process`)
  }
}

/** One after the other, because each adds its coverage to the files of the earlier nodes. */
async function closeAll(nodes: readonly Pick<NodeProcess, 'close'>[]): Promise<void> {
  const errors: unknown[] = []
  for (const node of nodes) await node.close().catch((error: unknown) => errors.push(error))
  if (errors.length > 0) throw errors[0]
}

/** @throws NodeError 'invalidOption' */
function countOf(given: unknown): number {
  if (given === 'cores') return availableParallelism()
  const count = readWhole(given)
  if (count !== undefined && count >= 1n && count <= MAX_PROCESSES) return Number(count)
  const expected = `a whole number from 1 to ${MAX_PROCESSES}, or cores`
  throw new NodeError('invalidOption', `processes: expected ${expected}, got ${show(given)}`)
}
