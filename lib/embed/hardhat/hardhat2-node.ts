/** The node of a Hardhat 2 process, and of the workers of a parallel run. hardhat2.ts loads it with the first request. */

import { mkdir, writeFile } from 'node:fs/promises'
import { join, parse } from 'node:path'
import type { Options } from '../../config/options.ts'
import type { Node } from '../../node/node.ts'
import type { RunningServer } from '../../server/start.ts'
import { createHardhatChain } from './hardhat-node.ts'
import type { HardhatProject } from './hardhat-node.ts'
import { hardhatOptions } from './hardhat-network.ts'
import type { HardhatNetwork } from './hardhat-network.ts'
import { attachToProcess, withArtifacts, workerFiles } from './hardhat-process.ts'
import type { PluginOptions } from './hardhat-process.ts'
import type { HardhatProvider } from './hardhat-provider.ts'

/** A provider, and tasks for the tests. */
export interface Hardhat2Chain {
  readonly provider: HardhatProvider
  /** In a worker of a parallel run: writes the reports of the tests so far. */
  readonly afterFile?: () => Promise<void>
  /** In a process that is held: prints the command that explains a failed transaction. */
  readonly printExplanation?: (hash: string) => void
}

/** Starts the node of this process. A worker of a parallel run opens no port, and hands its reports over. */
export async function startHardhat2(
  network: HardhatNetwork,
  { hold, explorer, ...options }: PluginOptions,
  { artifacts, ...project }: HardhatProject & { readonly artifacts: string },
): Promise<Hardhat2Chain> {
  const found = await withArtifacts(options, artifacts, process.env)
  const resolved = hardhatOptions(network, found, process.env)
  const { coverage, gasReport } = resolved
  const worker = process.env['MOCHA_WORKER_ID']
  if (worker !== undefined) {
    // Several count for the same files.
    const own = { ...resolved, coverage: undefined, gasReport: typeof gasReport === 'string' }
    const { provider, node } = await createHardhatChain(network, own, project)
    if (coverage !== undefined) await node.coverage.start()
    return { provider, afterFile: () => writeReports(node, resolved, worker) }
  }
  const { provider, node, hooks } = await createHardhatChain(network, resolved, project)
  const server = await attachToProcess(node, hooks, { explorer, hold })
  if (hold !== true || server === undefined) return { provider }
  return { provider, printExplanation: (hash) => printExplanation(node, server, hash) }
}

/** Prints the command for a world with the chain as it is now, because the next test may revert it. */
function printExplanation({ worlds }: Node, { url }: RunningServer, hash: string): void {
  const world = `failed-${worlds.size + 1}`
  worlds.acquire(world)
  console.log(`      npx dev-node explain ${hash} --url ${url}/w/${world}`)
}

/** Writes the reports of a worker, which is ended without notice: the gas for users, the coverage for the process that started it. */
async function writeReports({ coverage, gasRecorder }: Node, asked: Options, worker: string): Promise<void> {
  if (typeof asked.gasReport === 'string') {
    const { dir, name, ext } = parse(asked.gasReport)
    await gasRecorder?.writeReport(join(dir, `${name}-${worker}${ext}`))
  }
  if (asked.coverage === undefined) return
  await mkdir(asked.coverage, { recursive: true })
  const path = join(asked.coverage, `${workerFiles(process.ppid)}${worker}.json`)
  await writeFile(path, JSON.stringify((await coverage.report()).istanbul))
}
