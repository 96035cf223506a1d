/** The node of a Hardhat process: its port, and its reports when the process ends. */

import { mkdir, readFile, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { keepAlive } from '../../base/host.ts'
import { reasonOf } from '../../base/system-errors.ts'
import type { OptionsInput } from '../../config/options.ts'
import type { NodeHooks } from '../../config/request-log.ts'
import type { Node } from '../../node/node.ts'
import type { RunningServer } from '../../server/start.ts'

/** Options of the node, and of its process. */
export interface PluginOptions extends OptionsInput {
  /** Keeps the process at its end until Ctrl-C, so that the last chain can be looked at in the explorer. */
  readonly hold?: boolean | undefined
}

/** Options with the folder of a project's artifacts, unless these or variables of the environment say where artifacts are. */
export async function withArtifacts(
  options: OptionsInput,
  folder: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<OptionsInput> {
  const isSaid = options.noArtifacts === true || env['DEV_NODE_ARTIFACTS'] || env['DEV_NODE_NO_ARTIFACTS']
  if (isSaid) return options
  // Hardhat makes it with the first compilation.
  await mkdir(folder, { recursive: true })
  return { artifacts: [folder], ...options }
}

/** Opens the port of a node, if it is asked for, and closes the node when the process ends, if it has files or a report to write. */
export async function attachToProcess(
  node: Node,
  hooks: NodeHooks,
  { explorer, hold = false }: Pick<PluginOptions, 'explorer' | 'hold'>,
): Promise<RunningServer | undefined> {
  const server = explorer === true || hold ? await openPort(node, hooks) : undefined
  const { coverage, gasReport, state, dumpState } = node.options
  const writes = gasReport !== false || (coverage ?? state ?? dumpState) !== undefined
  if (writes || server !== undefined)
    atEnd((interrupted) => end(node, server, hold ? interrupted : undefined))
  return server
}

/** Opens the port of a node, which does not keep the process. @throws NodeError 'addressInUse' */
async function openPort(node: Node, hooks: NodeHooks): Promise<RunningServer> {
  const { serveNode } = await import('../../server/start.ts')
  const server = await serveNode(node, hooks)
  server.unref()
  console.log(`dev-node: the chain of this process and its explorer: ${server.url}`)
  return server
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

/** Begin of the names of the files in which the workers of a process leave their coverage. */
export const workerFiles = (parent: number): string => `.worker-${parent}-`

/** Adds the coverage of the workers of this process. */
async function addWorkers({ coverage }: Node, folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(workerFiles(process.pid))) continue
    const path = join(folder, name)
    await coverage.add(JSON.parse(await readFile(path, 'utf8')))
    await rm(path)
  }
}
