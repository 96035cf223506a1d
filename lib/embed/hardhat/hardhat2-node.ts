/** The node of a Hardhat 2 process, with its port, and its reports at the end. hardhat2.ts loads it with the first request. */

import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { join, parse } from 'node:path'
import { keepAlive } from '../../base/host.ts'
import { reasonOf } from '../../base/system-errors.ts'
import type { Options, OptionsInput } from '../../config/options.ts'
import type { NodeHooks } from '../../config/request-log.ts'
import type { Node } from '../../node/node.ts'
import { createHardhatProvider } from './hardhat-node.ts'
import type { HardhatProject } from './hardhat-node.ts'
import type { HardhatNetwork } from './hardhat-network.ts'
import type { HardhatProvider } from './hardhat-provider.ts'

/** Options of the node, and of its process. */
export interface PluginOptions extends OptionsInput {
  /** Keeps the process at its end until Ctrl-C, so that the last chain can be looked at in the explorer. */
  readonly hold?: boolean | undefined
}

/** A provider, and a task for the end of each file of tests in a parallel run. */
export interface Hardhat2Chain {
  readonly provider: HardhatProvider
  readonly afterFile: () => Promise<void>
  /** Keeps the chain as it is for an explanation of a transaction, and returns the command; undefined if the chain is not held. */
  readonly explain: (hash: string) => string | undefined
}

/** Starts the node of this process. In a worker of a parallel run it opens no port, and hands its reports over. */
export async function startHardhat2(
  network: HardhatNetwork,
  { options: given, ...project }: Omit<HardhatProject, 'options'> & { readonly options: PluginOptions },
): Promise<Hardhat2Chain> {
  const { hold = false, explorer = false, ...options } = given
  const worker = process.env['MOCHA_WORKER_ID']
  const port = process.env['DEV_NODE_PORT'] ? {} : { port: 0 }
  let afterFile = (): Promise<void> => Promise.resolve()
  let explain: Hardhat2Chain['explain'] = () => undefined
  const provider = await createHardhatProvider(network, {
    ...project,
    options: { ...port, ...options },
    ...(worker === undefined
      ? {
          started: async (node, hooks) => {
            const url = await start(node, hooks, { hold, isOpen: explorer === true || hold })
            if (hold && url !== undefined) explain = (hash) => explainCommand(node, url, hash)
          },
        }
      : workerSettings(worker, (task) => (afterFile = task))),
  })
  return { provider, afterFile, explain: (hash) => explain(hash) }
}

interface ProcessSettings {
  readonly hold: boolean
  readonly isOpen: boolean
}

/** Opens the port, and prepares the end of the process. Returns the URL. */
async function start(
  node: Node,
  hooks: NodeHooks,
  { hold, isOpen }: ProcessSettings,
): Promise<string | undefined> {
  const { coverage, gasReport, state, dumpState } = node.options
  const server = isOpen ? await (await import('../../server/start.ts')).serveNode(node, hooks) : undefined
  server?.unref()
  if (server !== undefined) console.log(`dev-node: the chain of this process and its explorer: ${server.url}`)
  if (!isOpen && gasReport === false && (coverage ?? state ?? dumpState) === undefined) return undefined
  const interrupted = new Promise<void>((resolve) => process.once('SIGINT', resolve))
  atEnd(async () => {
    if (hold) {
      console.log(`dev-node: ${server?.url ?? ''} stays until Ctrl-C`)
      const release = keepAlive()
      await interrupted
      release()
    }
    if (coverage !== undefined) await addWorkers(node, coverage)
    const report = gasReport === true ? await node.gasRecorder?.reportText() : undefined
    await (server ?? node).close()
    if (report !== undefined) console.log(`\n${report}`)
  })
  return server?.url
}

/** A world has the chain as it is now, because the next test may revert it. */
function explainCommand({ worlds }: Node, url: string, hash: string): string {
  const world = `failed-${worlds.size + 1}`
  worlds.acquire(world)
  return `npx dev-node explain ${hash} --url ${url}/w/${world}`
}

/** Runs the task before the process ends, which Hardhat does by `process.exit`, a script by itself and a user by Ctrl-C. */
function atEnd(task: () => Promise<void>): void {
  const exit = process.exit.bind(process)
  let ended: Promise<void> | undefined
  const end = (): Promise<void> =>
    (ended ??= task().catch((error: unknown) => {
      console.error(`dev-node: ${reasonOf(error)}`)
      process.exitCode ||= 1
    }))
  Reflect.set(process, 'exit', (code?: number) => {
    void end().then(() => exit(code || process.exitCode))
  })
  process.once('beforeExit', () => void end())
  process.once('SIGINT', () => process.exit(INTERRUPTED))
}

/** Exit code of a program that was interrupted (128 + SIGINT). */
const INTERRUPTED = 130

/**
 * A worker counts without files of its own, because several count for the same, and it is ended without notice: it writes after
 * each file of tests. What it counted for the coverage is merged by the process that started it.
 */
function workerSettings(
  worker: string,
  setTask: (task: () => Promise<void>) => void,
): Pick<HardhatProject, 'adjusted' | 'started'> {
  let asked: Pick<Options, 'coverage' | 'gasReport'>
  return {
    adjusted: (options) => {
      asked = options
      return { ...options, coverage: undefined, gasReport: typeof options.gasReport === 'string' }
    },
    started: async ({ coverage, gasRecorder }) => {
      const { coverage: folder, gasReport } = asked
      if (folder !== undefined) {
        await coverage.start()
        await mkdir(folder, { recursive: true })
      }
      setTask(async () => {
        if (typeof gasReport === 'string') await gasRecorder?.writeReport(numbered(gasReport, worker))
        if (folder === undefined) return
        const { istanbul } = await coverage.report()
        await writeFile(join(folder, `${workerFiles(process.ppid)}${worker}.json`), JSON.stringify(istanbul))
      })
    },
  }
}

/** The path of a report with the number of a worker: `gas-0.json`. */
function numbered(path: string, worker: string): string {
  const { dir, name, ext } = parse(path)
  return join(dir, `${name}-${worker}${ext}`)
}

/** Begin of the names of the files in which the workers of a process leave their coverage. */
const workerFiles = (parent: number): string => `.worker-${parent}-`

/** Adds the coverage of the workers of this process. */
async function addWorkers({ coverage }: Node, folder: string): Promise<void> {
  const names = await readdir(folder)
  for (const name of names.filter((one) => one.startsWith(workerFiles(process.pid)))) {
    const path = join(folder, name)
    await coverage.add(JSON.parse(await readFile(path, 'utf8')))
    await rm(path)
  }
}
