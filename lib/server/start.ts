/** Starts a node with its servers: HTTP, WebSocket and local socket. */

import { existsSync } from 'node:fs'
import { NodeError, helped, seeHelp } from '../base/errors.ts'
import { toHex, type Address, type Hex } from '../base/hex.ts'
import { realHost, type Host } from '../base/host.ts'
import { heapUsage } from '../base/process-usage.ts'
import { ALL_INTERFACES, OWN_ADDRESS_OF } from '../config/service-options.ts'
import type { Options } from '../config/options.ts'
import type { AllOptions, OptionsInput } from '../modules/options.ts'
import type { NetworkValues } from '../config/network-values.ts'
import { findPackage } from '../config/package.ts'
import type { ClosingEvent, NodeHooks, Paint } from '../config/request-log.ts'
import type { ForkedBlock } from '../fork/cached-forks.ts'
import { resolveOptions } from '../modules/resolve-options.ts'
import { describeCurve, loadCurve } from '../crypto/secp256k1.ts'
import { createNode, type Node } from '../node/node.ts'
import { MODULES } from '../modules/list.ts'
import type { OpenedFile } from '../node/persistence/opened-file.ts'
import { servedBy } from '../rpc/methods/all.ts'
import { connectHooks, type RequestHooks } from '../rpc/execution-log.ts'
import { RequestHistory } from '../rpc/request-history.ts'
import { chainsOf } from './admission.ts'
import { createHandler } from './http.ts'
import { openIpc } from './ipc.ts'
import { listen } from './listen.ts'
import { createSockets } from './websockets.ts'

/** The folders of artifacts that exist, and facts about their contracts, which are absent if reading them takes longer than a start may. */
export interface FoundArtifacts {
  readonly folders: readonly string[]
  readonly contracts?: number
  /** How to get lines of sources, if files lack what they need. */
  readonly hint?: string | undefined
}

interface ContinuedChain {
  /** Without secrets. */
  readonly shownUrl: string
  readonly block: ForkedBlock
  /** Of a known chain id. */
  readonly chainName: string | undefined
  /** Number of blocks between the block and the head of the remote; absent if the remote was not asked. */
  readonly depth: bigint | undefined
  readonly cacheFolder: string | undefined
}

export interface RunningServer {
  readonly url: string
  readonly port: number
  /** URL of the explorer for a browser of this machine, without the API key that its path may need; absent with --no-explorer. */
  readonly explorer: string | undefined
  /** Path of the local socket, if --ipc was given. */
  readonly ipc: string | undefined
  readonly accounts: readonly {
    readonly address: Address
    readonly privateKey: Hex
    readonly balance: bigint
  }[]
  readonly network: NetworkValues
  /** The state file and what the start found in it; absent without one. */
  readonly state: OpenedFile | undefined
  /** Files that killed nodes left beside those of this node, in sentences for the user. */
  readonly findings: readonly string[]
  /** The remote chain that the default chain continued at the start; absent without a fork. */
  readonly fork: ContinuedChain | undefined
  readonly version: string
  /** What modules print at the start: a word, and what holds. */
  readonly facts: readonly (readonly [word: string, fact: string | undefined])[]
  /** What the first requests wait for, such as `a debugger attaches`. */
  readonly waitsFor: string | undefined
  /** The reports of the closed node for a terminal, and for programs; empty without reports. */
  readonly closingText: (paint?: Paint) => Promise<string>
  readonly closingEvents: () => Promise<readonly ClosingEvent[]>
  /** The implementations of hashes and curves. Reading it loads the curve. */
  readonly crypto: string
  readonly findArtifacts: () => Promise<FoundArtifacts>
  readonly close: () => Promise<void>
  /** Lets the process end although the port is open. */
  readonly unref: () => void
}

/** Starts a server. The command receives this function as a parameter, so that tests can replace it. */
export type StartServer = (options: AllOptions, hooks?: NodeHooks) => Promise<RunningServer>

/** Starts a node and opens its port. @throws NodeError 'invalidOption', 'addressInUse' */
export async function startWithOptions(options: AllOptions, hooks: NodeHooks = {}): Promise<RunningServer> {
  const node = await createNode(options, { modules: MODULES, onFault: hooks.onFault })
  return serveNode(node, connectHooks(node, hooks))
}

/**
 * Opens the port of a node. The node is closed with its server, and if the port cannot be opened. @throws NodeError 'addressInUse'
 * @internal
 */
export async function serveNode(
  node: Node,
  hooks: RequestHooks,
  history = new RequestHistory(realHost, { isFromStart: node.options.explorer }),
): Promise<RunningServer> {
  const { options, network, funded } = node
  const { onRequest, onFault } = hooks
  const { batchLimit, answerLimit, host } = options
  const { registry, form } = servedBy(node)
  const settings = { batchLimit, answerLimit, now: realHost.elapsed, isRemote: true }
  const dispatch = { onRequest, onFault, registry, form, ...settings, history, isServed: !hooks.endsWithRun }
  const acquireChain = chainsOf(node, dispatch)
  const dependencies = { node, registry, acquireChain, options, host: realHost, onFault }
  const sockets = createSockets(dependencies)
  const handler = createHandler(dependencies)
  const answering = { handler, upgrade: sockets.upgrade, onFault }
  const giveUp = (error: unknown): Promise<never> => abandon(node, error)
  const closeIpc =
    options.ipc === undefined ? undefined : await openIpc(dependencies, options.ipc).catch(giveUp)
  const listening = await listen(answering, { host, port: network.port }).catch(async (error: unknown) => {
    await closeIpc?.()
    return giveUp(error)
  })
  const endWatch = saveWhenMemoryIsNearlyFull(node, onFault)
  const cancelLoad = realHost.schedule(LOAD_CURVE_AFTER_MS, loadCurve)
  return {
    url: `http://${shownHost(host === ALL_INTERFACES ? '127.0.0.1' : host)}:${listening.port}`,
    port: listening.port,
    explorer: options.explorer ? explorerUrl(listening.port, options) : undefined,
    ipc: options.ipc,
    // Without keys the node cannot sign for the accounts, so it does not show them.
    accounts: options.holdsKeys ? funded.map(shownAccount) : [],
    network,
    version: findPackage().version,
    ...textsOf(node),
    get crypto() {
      return describeCurve()
    },
    findArtifacts: () => findArtifacts(node.contractCatalog),
    unref: listening.unref,
    close: async () => {
      endWatch()
      cancelLoad()
      // While the connections are open.
      await node.modules.release()
      await Promise.all([listening.close(), sockets.close(), closeIpc?.()])
      await node.close()
    },
  }
}

/** What is printed at the start and at the end. */
const textsOf = ({ stateKeeper: { source: state }, findings, forks: { current: fork }, modules }: Node) => {
  const { facts, waitsFor, closingText, closingEvents } = modules
  return { state, findings, fork, facts, waitsFor, closingText, closingEvents }
}

/** Milliseconds that the start of a node waits for artifacts. */
const ARTIFACTS_MS = 300

async function findArtifacts(catalog: Node['contractCatalog']): Promise<FoundArtifacts> {
  const folders = catalog.folders.filter((path) => existsSync(path))
  const isLate = new Promise<boolean>((resolve) => realHost.schedule(ARTIFACTS_MS, () => resolve(true)))
  if (await Promise.race([catalog.refresh(), isLate])) return { folders }
  const { contracts } = catalog
  return {
    folders,
    contracts: contracts.length,
    hint: contracts.find(({ hint }) => hint !== undefined)?.hint,
  }
}

/** A browser cannot open an address of every interface everywhere. */
const explorerUrl = (port: number, { host }: Pick<Options, 'host'>): string =>
  `http://${shownHost(OWN_ADDRESS_OF.get(host) ?? host)}:${port}/`

/** A host as a URL contains it. */
const shownHost = (host: string): string => (host.includes(':') ? `[${host}]` : host)

/** Closes a node whose start failed; it writes no files. @throws the error of the start */
async function abandon(node: Node, error: unknown): Promise<never> {
  await node.close(true)
  throw error
}

const shownAccount = ({ address, privateKey, balance }: Node['funded'][number]) => ({
  address,
  privateKey: toHex(privateKey),
  balance,
})

/** Milliseconds from the start to the load of the curve, which the first answer does not wait for. A signature before loads it. */
const LOAD_CURVE_AFTER_MS = 30

/** Reports when the memory is nearly full, and writes the state file then. The returned function ends the watch. */
function saveWhenMemoryIsNearlyFull({ stateKeeper }: Node, onFault: NodeHooks['onFault']): () => void {
  const onNearlyFull = (sentence: string): void => {
    onFault?.(new NodeError('limitExceeded', sentence))
    stateKeeper.save().catch((error: unknown) => onFault?.(error))
  }
  return watchMemory(realHost, heapUsage, onNearlyFull)
}

/** Milliseconds between checks. A busy node fills the last tenth of a small heap in half a second. */
const INTERVAL_MS = 100

/**
 * Used fractions of the limit: the heap is nearly full from the first on, until it is below the second. V8 aborts the
 * process after a few collections that leave more than 80 % of the limit in use (v8, `CheckIneffectiveMarkCompact`), and
 * writing the state file needs collections.
 */
const NEARLY_FULL = 0.75
const RELAXED = 0.65

/**
 * Watches the memory of the process. V8 aborts a process whose heap is full, and no code can react to that, so the warning
 * and the state file must be written before. `onNearlyFull` is called when the heap becomes nearly full; again only after it was
 * below `RELAXED`. The returned function ends the watch.
 * @internal
 */
export function watchMemory(
  { schedule }: Pick<Host, 'schedule'>,
  usageOf: typeof heapUsage,
  onNearlyFull: (sentence: string) => void,
): () => void {
  let isWarned = false
  let cancel: () => void = () => undefined
  const check = (): void => {
    cancel = schedule(INTERVAL_MS, check)
    const usage = usageOf()
    const part = usage.used / usage.limit
    if (part < RELAXED) isWarned = false
    if (part < NEARLY_FULL || isWarned) return
    isWarned = true
    const [usedMb, limitMb] = [usage.used, usage.limit].map(megabytes)
    onNearlyFull(
      `the memory is nearly full: ${usedMb} of ${limitMb} MB are used; the node ends when it is full; start it with NODE_OPTIONS=--max-old-space-size=<megabytes> for more${seeHelp('DN-MEMORY')}`,
    )
  }
  cancel = schedule(INTERVAL_MS, check)
  return () => cancel()
}

const megabytes = (bytes: number): number => Math.round(bytes / 2 ** 20)

/** The same with options as `createNode` takes them. @throws NodeError 'invalidOption', 'addressInUse' */
export const startServer = (options: OptionsInput = {}, hooks: NodeHooks = {}): Promise<RunningServer> =>
  helped(Promise.resolve().then(() => startWithOptions(resolveOptions({ values: options }), hooks)))
