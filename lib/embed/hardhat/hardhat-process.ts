/** The node of a Hardhat process: its port, and its reports when the process ends. */

import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { helped, withHelp } from '../../base/errors.ts'
import { keepAlive } from '../../base/host.ts'
import { reasonOf, whenMissing } from '../../base/system-errors.ts'
import type { AllOptions, OptionsInput } from '../../modules/options.ts'
import { waitLine } from '../../config/request-log.ts'
import type { Node } from '../../node/node.ts'
import type { RunningServer } from '../../server/start.ts'
import { hardhatOptions, type HardhatNetwork } from './hardhat-network.ts'
import { asksForExplorer, explorerLine } from '../testing/run-options.ts'
import { hardhatProvider, startHardhatNode, type HardhatProject, type StartedNode } from './hardhat-node.ts'

/** Adds the project's artifacts folder to the options, unless they or the environment set one. */
export async function withArtifacts(
  options: OptionsInput,
  folder: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<OptionsInput> {
  const isSaid = options.noArtifacts === true || env['DEV_NODE_ARTIFACTS'] || env['DEV_NODE_NO_ARTIFACTS']
  if (isSaid) return options
  // Hardhat creates it only with the first compilation.
  await mkdir(folder, { recursive: true })
  return { artifacts: [folder], ...options }
}

/** What a node does between the tests of its process. */
export interface TestTasks {
  /** In a parallel worker: writes the reports of the tests so far. */
  readonly afterFile?: () => Promise<void>
  /** In a process that is held open: prints the command that explains a failure now, before the runner ends. */
  readonly printExplanation?: (answer: unknown) => void
}

export const workerId = (): string | undefined => process.env['MOCHA_WORKER_ID']

/** A node of a Hardhat process, and its tasks. */
export type ProcessNode = Awaited<ReturnType<typeof startProcessNode>>

/**
 * Starts a node of this process, which may be a worker of a parallel run. `withOwnReports` may remove reports. @throws NodeError
 * 'invalidOption', 'addressInUse'
 */
export async function startProcessNode(
  network: HardhatNetwork,
  given: OptionsInput,
  artifacts: string,
  withOwnReports = (options: AllOptions): AllOptions => options,
) {
  const found = await withArtifacts(given, artifacts, process.env)
  const asked = withOwnReports(hardhatOptions(network, found, process.env))
  const asksForPort = asked.hold || asksForExplorer(given, process.env)
  const started = await startHardhatNode(asked, { isWorker: workerId() !== undefined, asksForPort })
  const tasks = await attachToProcess(started)
  return { network, ...started, ...tasks }
}

/** Starts the node of a Hardhat 2 process. hardhat2.ts loads this module with the first request. */
export async function startHardhat2(
  network: HardhatNetwork,
  options: OptionsInput,
  { artifacts, ...project }: HardhatProject & { readonly artifacts: string },
) {
  const started = await helped(startProcessNode(network, options, artifacts))
  const { embedded } = started
  const isRemote = project.isServed === true
  const chain = embedded.createProvider({ isRemote, explainsLater: !isRemote })
  const provider = await hardhatProvider(chain, network, { ...started, ...project })
  return { ...started, provider }
}

/**
 * Opens the node's port if the options ask for one. Closes the node when the process ends, so that it writes its files and reports.
 * A worker opens no port and hands over its reports.
 */
async function attachToProcess(started: StartedNode): Promise<TestTasks> {
  const { node } = started
  const { hold } = node.options
  const worker = workerId()
  if (worker !== undefined) return { afterFile: () => leaveReports(node, worker) }
  const server = started.hasPort ? await openPort(started) : undefined
  atEnd((interrupted) => end(node, server, hold ? interrupted : undefined))
  return hold && server !== undefined
    ? { printExplanation: (answer) => printExplanation(answer, server) }
    : {}
}

/** Opens the node's port, which does not keep the process alive. @throws NodeError 'addressInUse' */
async function openPort({ node, hooks, history }: StartedNode): Promise<RunningServer> {
  const { serveNode } = await import('../../server/start.ts')
  const server = await serveNode(node, hooks, history)
  server.unref()
  console.log(explorerLine([server.url]))
  if (server.waitsFor !== undefined) console.log(waitLine(server.waitsFor, server.url))
  return server
}

function printExplanation(answer: unknown, { url }: RunningServer): void {
  if (typeof answer === 'object' && answer !== null && 'id' in answer)
    console.log(`      npx dev-node explain ${String(answer.id)} --url ${url}`)
}

/** Calls the task before the process ends: Hardhat calls `process.exit`, a script just ends, and a user presses Ctrl-C. */
function atEnd(task: (interrupted: Promise<void>) => Promise<void>): void {
  const exit = process.exit.bind(process)
  const interrupted = new Promise<void>((resolve) => process.once('SIGINT', resolve))
  let ended: Promise<boolean> | undefined
  const end = (): Promise<boolean> =>
    (ended ??= task(interrupted).then(
      () => true,
      (error: unknown) => {
        console.error(`dev-node: ${reasonOf(withHelp(error))}`)
        process.exitCode ||= 1
        return false
      },
    ))
  Reflect.set(process, 'exit', (code = process.exitCode) => {
    void end().then((isDone) => exit(isDone ? code : code || 1))
  })
  process.once('beforeExit', () => void end())
  void interrupted.then(() => process.exit(INTERRUPTED))
}

/** Exit code of a program that was interrupted (128 + SIGINT). */
const INTERRUPTED = 130

/** If the chain is to be held, waits. Then writes the files of the node. */
async function end(node: Node, server?: RunningServer, heldUntil?: Promise<void>): Promise<void> {
  if (heldUntil !== undefined) {
    console.log(`dev-node: ${server?.url ?? ''} stays until Ctrl-C`)
    const release = keepAlive()
    await heldUntil
    release()
  }
  await addWorkers(node)
  await (server ?? node).close()
  const reports = await node.modules.closingText()
  if (reports !== '') console.log(`\n${reports.trimEnd()}`)
}

/** The files of a process's workers begin with this path. */
const workerFiles = (report: string, parent: number): string =>
  join(dirname(report), `.${basename(report)}-worker-${parent}-`)

/** Leaves the reports of a worker, which may be ended without notice. */
async function leaveReports(node: Node, worker: string): Promise<void> {
  for (const { path, handOver } of node.modules.reports()) {
    const text = await handOver()
    await mkdir(dirname(path), { recursive: true })
    if (text !== undefined) await writeFile(workerFiles(path, process.ppid) + worker, text)
  }
}

/** Merges the reports of this process's workers, and removes their files. */
async function addWorkers(node: Node): Promise<void> {
  for (const { path, takeOver } of node.modules.reports()) {
    const begin = workerFiles(path, process.pid)
    for (const name of await readdir(dirname(begin)).catch(whenMissing([]))) {
      const file = join(dirname(begin), name)
      if (!file.startsWith(begin)) continue
      await takeOver(await readFile(file, 'utf8'))
      await rm(file)
    }
  }
}
