/** The nodes of a Hardhat 3 process: one for all networks with equal settings, with a world for each connection. */

import { FILE_OPTIONS, type AllOptions } from '../../modules/options.ts'
import { resolveOptions } from '../../modules/resolve-options.ts'
import { ownOptions, type DevNodeNetwork } from './hardhat3-config.ts'
import type { ProviderError as GivenError } from '../provider-api.ts'
import { plainNetwork, withKeys } from './hardhat3-network.ts'
import { hardhatProvider, SolidityError, type HardhatProvider } from './hardhat-node.ts'
import { startProcessNode, workerId } from './hardhat-process.ts'
import type { ProcessNode } from './hardhat-process.ts'
import type { Ask } from '../ask.ts'
import { explainNodeTests } from '../testing/node-test-hooks.ts'
import { warnOfIgnored } from './ignored-settings.ts'

export interface OpenChain {
  readonly provider: HardhatProvider
  readonly close: () => Promise<void>
}

class HardhatNodes {
  readonly #nodes = new Map<string, Promise<ProcessNode>>()
  /** Reports that a node writes already, by option and place. */
  readonly #reports = new Set<string>()
  #lastWorld = 0
  /** Whether node:test runs the tests. */
  hasNodeTests = false

  /** Opens a new chain that behaves like the named network. @throws NodeError 'invalidOption' */
  async open(name: string, config: DevNodeNetwork): Promise<OpenChain> {
    const { embedded, network, log } = await this.start(config)
    if (workerId() === undefined) warnOfIgnored(name, config.userConfig)
    if (this.hasNodeTests) await explainNodeTests(this.ask)
    const id = `connection-${++this.#lastWorld}`
    const project = { errors: HARDHAT_3_ERRORS, isLogging: config.loggingEnabled }
    return {
      provider: await hardhatProvider(embedded.world(id, { explainsLater: true }), network, {
        embedded,
        log,
        ...project,
      }),
      close: async () => {
        await embedded.provider.request({ method: 'dev_deleteWorld', params: [id] })
      },
    }
  }

  async afterFile(): Promise<void> {
    for (const node of this.#nodes.values()) await (await node).afterFile?.()
  }

  /** Asks the nodes until one knows the failed test. Undefined without nodes. */
  readonly ask: Ask = async (method, params) => {
    if (method === 'dev_executedContracts') {
      const nodes = await Promise.all(this.#nodes.values())
      return Promise.all(nodes.map(({ embedded }) => embedded.provider.request({ method, params })))
    }
    for (const started of this.#nodes.values()) {
      const { embedded, printExplanation } = await started
      const answer = await embedded.provider.request({ method, params })
      printExplanation?.(answer)
      if (answer !== null) return answer
    }
    return this.#nodes.size === 0 ? undefined : null
  }

  /** The node for the network. The first call starts it. @throws NodeError 'invalidOption' */
  async start(config: DevNodeNetwork): Promise<ProcessNode> {
    const network = await plainNetwork(config)
    const key = JSON.stringify([network, ownOptions(config)], bigintAsText)
    const own = { worldLimit: Number.MAX_SAFE_INTEGER, ...ownOptions(config) }
    const running =
      this.#nodes.get(key) ??
      startProcessNode(withKeys(network), own, config.artifactsFolder, (options) =>
        this.#withOwnReports(options),
      )
    this.#nodes.set(key, running)
    running.catch(() => this.#nodes.delete(key))
    return running
  }

  /** Starts the node that merges the workers' reports, if there are any. */
  async startForReports(config: DevNodeNetwork): Promise<void> {
    const options = resolveOptions({ values: ownOptions(config), env: process.env })
    if (FILE_OPTIONS.some(({ name, none }) => Reflect.get(options, name) !== none)) await this.start(config)
  }

  /** Options without the reports that another node writes already. */
  #withOwnReports(options: AllOptions): AllOptions {
    const place = (name: string): string => `${name} ${String(Reflect.get(options, name))}`
    const others = FILE_OPTIONS.filter(({ name }) => !this.#isFirst(place(name)))
    return { ...options, ...Object.fromEntries(others.map(({ name, none }) => [name, none])) }
  }

  #isFirst(report: string): boolean {
    const isFirst = !this.#reports.has(report)
    this.#reports.add(report)
    return isFirst
  }
}

export const hardhatNodes = new HardhatNodes()

const bigintAsText = (_name: string, value: unknown): unknown =>
  typeof value === 'bigint' ? String(value) : value

/** JSON-RPC code of invalid params. */
const INVALID_PARAMS = -32602

class Hardhat3ProviderError extends Error {
  override readonly name: string
  readonly code: number

  constructor(message: string, code: number) {
    super(message)
    this.name = code === INVALID_PARAMS ? 'InvalidArgumentsError' : 'ProviderError'
    this.code = code
    Object.defineProperty(this, '_isProviderError', { value: true })
    // The stack begins with the class's name.
    Error.captureStackTrace(this, Hardhat3ProviderError)
  }
}

/** A failed execution. Reporters print its `solidityStack`. */
class Hardhat3SolidityError extends SolidityError {
  static override readonly title = 'SolidityError'
  override readonly name = 'SolidityError'
  readonly code: number

  constructor(given: GivenError) {
    super(given)
    this.code = given.code
  }
}

/** The error classes of Hardhat 3. It does not export them but recognises them by a mark. */
export const HARDHAT_3_ERRORS = { ProviderError: Hardhat3ProviderError, SolidityError: Hardhat3SolidityError }
