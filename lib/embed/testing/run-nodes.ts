/** Starts the node of a test run, or several of them in processes (node-process.ts), and passes their URLs to the workers. */

import { availableParallelism } from 'node:os'
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import * as z from 'zod'
import { helped, trouble } from '../../base/errors.ts'
import type { TroubleCode } from '../../base/troubles.ts'
import type { AllOptions, OptionsInput } from '../../modules/options.ts'
import { resolveOptions } from '../../modules/resolve-options.ts'
import { readWhole, show } from '../../config/values.ts'
import { withCacheFolder } from '../../fork/cache-folder.ts'
import type { AnyModule } from '../../kernel/running-modules.ts'
import { MODULES } from '../../modules/list.ts'
import { startWithOptions } from '../../server/start.ts'
import { asksForExplorer, explorerLine } from './run-options.ts'

export interface RunSettings {
  /** Options of every node, named as createNode takes them. */
  readonly devNode?: OptionsInput | undefined
  /** Number of nodes, each in a process; `cores` is one for each core. By default one node in the process of the run. */
  readonly processes?: number | 'cores' | undefined
}

export interface RunNodes {
  /** In the order of the workers that they serve. */
  readonly urls: readonly string[]
  /** With the option `hold`, waits for Ctrl-C before. */
  readonly close: () => Promise<void>
}

type Environment = Record<string, string | undefined>

const MAX_PROCESSES = 256

/**
 * Starts nodes for a test run and sets DEV_NODE_URL, the first of them, and DEV_NODE_URLS, all of them, in the environment, which
 * workers inherit. DEV_NODE_PROCESSES in the environment precedes `processes`, and the variables of options count where `devNode` has
 * no value. Console output of contracts is printed to stderr, except with the option `quiet`.
 * @throws NodeError 'invalidOption', 'addressInUse'
 */
export const startNodes = (
  settings: RunSettings = {},
  environment: Environment = process.env,
): Promise<RunNodes> => helped(openNodes(settings, environment))

async function openNodes(
  { devNode = {}, processes }: RunSettings,
  environment: Environment,
): Promise<RunNodes> {
  const count = countOf(environment['DEV_NODE_PROCESSES'] ?? processes ?? 1)
  const values = { port: 0, ...devNode }
  // Invalid options are refused before a process starts.
  const options = withCacheFolder(resolveOptions({ values, env: environment }), environment)
  if (count > 1) refuseShared(options, count)
  const nodes = count > 1 ? await startProcesses(values, count) : []
  if (nodes.length === 0) {
    // stderr, because Jest prints there; stdout may contain results for programs.
    nodes.push(
      await startWithOptions(options, {
        endsWithRun: !options.hold,
        ...(options.quiet ? {} : { onConsole: console.error }),
      }),
    )
  }
  const urls = nodes.map(({ url }) => url)
  environment['DEV_NODE_URL'] = urls[0]
  // A run with one node takes it from DEV_NODE_URL, which the user may change.
  if (urls.length > 1) environment['DEV_NODE_URLS'] = urls.join(' ')
  else delete environment['DEV_NODE_URLS']
  if (options.hold || asksForExplorer(devNode, environment)) console.error(explorerLine(urls))
  const close = async (): Promise<void> => {
    if (options.hold) await untilInterrupted(urls)
    await closeAll(nodes)
  }
  return { urls, close }
}

async function untilInterrupted(urls: readonly string[]): Promise<void> {
  console.error(`dev-node: ${urls.join(', ')} stays until Ctrl-C`)
  // The listener of Vitest would end the process before the reports are written.
  process.removeAllListeners('SIGINT')
  await once(process, 'SIGINT')
}

async function startProcesses(values: OptionsInput, count: number): Promise<NodeProcess[]> {
  const starts = Array.from({ length: count }, (_, index) =>
    // Each node adds its reports to those of the earlier nodes.
    startNodeProcess(index === 0 ? values : { ...values, ...LATER_NODES }, console.error),
  )
  const settled = await Promise.allSettled(starts)
  const started = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  const failed = settled.find((one) => one.status === 'rejected')
  if (failed === undefined) return started
  await Promise.allSettled(started.map(({ close }) => close()))
  throw failed.reason
}

const modules: readonly AnyModule[] = MODULES
const LATER_NODES: object = Object.fromEntries(
  modules.flatMap(({ parallel }) => Object.entries(parallel?.laterNodes ?? {})),
)

/** Options that name one thing, which several nodes cannot share. */
const UNSHARED = [
  'ipc',
  'state',
  'dumpState',
  ...modules.flatMap(({ files = {}, parallel }) => (parallel?.laterNodes ? [] : Object.keys(files))),
]

function refuseShared(options: AllOptions, count: number): void {
  const given = new Map<string, unknown>(Object.entries(options))
  const refused = UNSHARED.find((name) => given.get(name) !== undefined && given.get(name) !== false)
  const name = refused ?? (options.port === 0 ? undefined : 'port')
  if (name !== undefined) {
    throw trouble('DN-SHARE', `${name}: ${count} processes cannot share it; use one process`)
  }
}

/** One after the other, because each adds its reports to the files of the earlier nodes. */
async function closeAll(nodes: readonly Pick<NodeProcess, 'close' | 'closingText'>[]): Promise<void> {
  const errors: unknown[] = []
  for (const node of nodes) {
    await node.close().catch((error: unknown) => errors.push(error))
    const reports = await node.closingText()
    if (reports !== '') console.error(`\n${reports.trimEnd()}`)
  }
  if (errors.length > 0) throw errors[0]
}

/** @throws NodeError 'invalidOption' */
function countOf(given: unknown): number {
  if (given === 'cores') return availableParallelism()
  const count = readWhole(given)
  if (count !== undefined && count >= 1n && count <= MAX_PROCESSES) return Number(count)
  const expected = `a whole number from 1 to ${MAX_PROCESSES}, or cores`
  throw trouble('DN-VALUE', `processes: expected ${expected}, got ${show(given)}`)
}

export interface NodeProcess {
  readonly url: string
  /** Closes the node, which then writes its files, and ends the process. @throws NodeError 'invalidOption' */
  readonly close: () => Promise<void>
  /** Its reports, once it is closed; empty without any. */
  readonly closingText: () => Promise<string>
}

/** Called with what contracts print, and with the unexpected end of a process. */
type Print = (text: string) => void

/** A message to the process. Not inferred from a schema: users load the declarations without zod. */
export type NodeOrder =
  | { readonly kind: 'start'; readonly options: OptionsInput }
  | { readonly kind: 'close' }

/** A message of the process. */
export type NodeReport =
  | { readonly kind: 'started'; readonly url: string }
  | { readonly kind: 'closed'; readonly reports: string }
  | { readonly kind: 'console'; readonly text: string }
  | { readonly kind: 'failed'; readonly message: string; readonly code: TroubleCode }

const report = z.custom<NodeReport>()

/** Starts a node in a process. @throws NodeError 'invalidOption' if it does not start */
export async function startNodeProcess(options: OptionsInput, print: Print): Promise<NodeProcess> {
  // Options may be bigints, which JSON has not. The arguments of this process, such as those of a debugger, are not for the node.
  const child = fork(fileURLToPath(new URL('./node-process.js', import.meta.url)), {
    serialization: 'advanced',
    execArgv: [],
  })
  child.on('message', (message) => {
    const read = report.parse(message)
    if (read.kind === 'console') print(read.text)
  })
  const { url = '' } = await ask(child, { kind: 'start', options })
  const warn = (code: number | null, signal: string | null): void =>
    print(`dev-node: the node at ${url} ended with ${signal ?? String(code)}, and its chains with it`)
  child.once('exit', warn)
  let reports = ''
  const close = async (): Promise<void> => {
    child.off('exit', warn)
    // Of a process that has ended nothing can be written.
    if (!child.connected) return
    const ended = once(child, 'exit')
    const closed = await ask(child, { kind: 'close' }).catch((error: unknown) => {
      child.kill('SIGKILL')
      throw error
    })
    reports = closed.reports ?? ''
    await ended
  }
  return { url, close, closingText: () => Promise.resolve(reports) }
}

/** Sends an order and waits for the answer. @throws NodeError 'invalidOption' if the node fails or its process ends */
function ask(
  child: ChildProcess,
  order: NodeOrder,
): Promise<{ readonly url?: string; readonly reports?: string }> {
  return new Promise((resolve, reject) => {
    const fail = (code: TroubleCode, message: string): void => reject(trouble(code, message))
    const onEnd = (code: number | null, signal: string | null): void =>
      fail('DN-ENDED', `the process of a node ended with ${signal ?? String(code)}`)
    child.once('exit', onEnd)
    const onMessage = (message: unknown): void => {
      const read = report.parse(message)
      if (read.kind === 'console') return
      child.off('message', onMessage)
      child.off('exit', onEnd)
      if (read.kind === 'failed') fail(read.code, read.message)
      else resolve(read)
    }
    child.on('message', onMessage)
    child.send(order)
  })
}
