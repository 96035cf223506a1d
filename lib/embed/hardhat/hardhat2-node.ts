/** The node of a Hardhat 2 process, with its port, and its reports at the end. hardhat2.ts loads it with the first request. */

import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { join, parse } from 'node:path'
import { keepAlive } from '../../base/host.ts'
import { reasonOf } from '../../base/system-errors.ts'
import type { Options, OptionsInput } from '../../config/options.ts'
import type { NodeHooks } from '../../config/request-log.ts'
import type { Node } from '../../node/node.ts'
import type { RunningServer } from '../../server/start.ts'
import { createHardhatChain } from './hardhat-node.ts'
import type { HardhatProject } from './hardhat-node.ts'
import { hardhatOptions } from './hardhat-network.ts'
import type { HardhatNetwork } from './hardhat-network.ts'
import type { HardhatProvider } from './hardhat-provider.ts'

/** Options of the node, and of its process. */
export interface PluginOptions extends OptionsInput {
  /** Keeps the process at its end until Ctrl-C, so that the last chain can be looked at in the explorer. */
  readonly hold?: boolean | undefined
}

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
  { hold = false, explorer = false, ...options }: PluginOptions,
  { artifacts, ...project }: HardhatProject & { readonly artifacts: string },
): Promise<Hardhat2Chain> {
  // Hardhat makes it with the first compilation.
  await mkdir(artifacts, { recursive: true })
  const found = options.noArtifacts === true ? {} : { artifacts: [artifacts] }
  const resolved = hardhatOptions(network, { ...found, ...options }, process.env)
  const { coverage, gasReport, state, dumpState } = resolved
  const worker = process.env['MOCHA_WORKER_ID']
  if (worker !== undefined) {
    // Several count for the same files.
    const own = { ...resolved, coverage: undefined, gasReport: typeof gasReport === 'string' }
    const { provider, node } = await createHardhatChain(network, own, project)
    if (coverage !== undefined) await node.coverage.start()
    return { provider, afterFile: () => writeReports(node, resolved, worker) }
  }
  const { provider, node, hooks } = await createHardhatChain(network, resolved, project)
  const server = explorer === true || hold ? await openPort(node, hooks) : undefined
  const writes = gasReport !== false || (coverage ?? state ?? dumpState) !== undefined
  if (writes || server !== undefined)
    atEnd((interrupted) => end(node, server, hold ? interrupted : undefined))
  if (!hold || server === undefined) return { provider }
  return { provider, printExplanation: (hash) => printExplanation(node, server, hash) }
}

async function openPort(node: Node, hooks: NodeHooks): Promise<RunningServer> {
  const { serveNode } = await import('../../server/start.ts')
  const server = await serveNode(node, hooks)
  server.unref()
  console.log(`dev-node: the chain of this process and its explorer: ${server.url}`)
  return server
}

/** Prints the command for a world with the chain as it is now, because the next test may revert it. */
function printExplanation({ worlds }: Node, { url }: RunningServer, hash: string): void {
  const world = `failed-${worlds.size + 1}`
  worlds.acquire(world)
  console.log(`      npx dev-node explain ${hash} --url ${url}/w/${world}`)
}

/** Calls the task before the process ends, which Hardhat does by `process.exit`, a script by itself and a user by Ctrl-C. */
function atEnd(task: (interrupted: Promise<void>) => Promise<void>): void {
  const exit = process.exit.bind(process)
  const interrupted = new Promise<void>((resolve) => process.once('SIGINT', resolve))
  let ended: Promise<void> | undefined
  const end = (): Promise<void> =>
    (ended ??= task(interrupted).catch((error: unknown) => {
      console.error(`dev-node: ${reasonOf(error)}`)
      process.exitCode ||= 1
    }))
  Reflect.set(process, 'exit', (code?: number) => {
    void end().then(() => exit(code || process.exitCode))
  })
  process.once('beforeExit', () => void end())
  void interrupted.then(() => process.exit(INTERRUPTED))
}

/** Exit code of a program that was interrupted (128 + SIGINT). */
const INTERRUPTED = 130

/** Waits, if the chain is held until then, and writes the files of the node. */
async function end(node: Node, server?: RunningServer, heldUntil?: Promise<void>): Promise<void> {
  if (heldUntil !== undefined) {
    console.log(`dev-node: ${server?.url ?? ''} stays until Ctrl-C`)
    const release = keepAlive()
    await heldUntil
    release()
  }
  const { coverage, gasReport } = node.options
  if (coverage !== undefined) await addWorkers(node, coverage)
  const report = gasReport === true ? await node.gasRecorder?.reportText() : undefined
  await (server ?? node).close()
  if (report !== undefined) console.log(`\n${report}`)
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

/** Begin of the names of the files in which the workers of a process leave their coverage. */
const workerFiles = (parent: number): string => `.worker-${parent}-`

/** Adds the coverage of the workers of this process. */
async function addWorkers({ coverage }: Node, folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(workerFiles(process.pid))) continue
    const path = join(folder, name)
    await coverage.add(JSON.parse(await readFile(path, 'utf8')))
    await rm(path)
  }
}
