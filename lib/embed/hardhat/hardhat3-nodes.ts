/** The nodes of a process of Hardhat 3: one for all networks with the same settings, and a world of it for each connection. */

import type { Options } from '../../config/options.ts'
import type { DevNode } from '../dev-node.ts'
import type { DevNodeNetwork } from './hardhat3-config.ts'
import { HARDHAT_3_ERRORS } from './hardhat3-errors.ts'
import { genesisAccounts, plainAccounts, settingsOf } from './hardhat3-network.ts'
import { hardhatOptions } from './hardhat-network.ts'
import type { HardhatNetwork } from './hardhat-network.ts'
import { configureNetwork, startHardhatNode } from './hardhat-node.ts'
import { attachToProcess, withArtifacts } from './hardhat-process.ts'
import type { PluginOptions } from './hardhat-process.ts'
import { HardhatProvider } from './hardhat-provider.ts'

/** The chain of a connection. */
export interface OpenChain {
  readonly provider: HardhatProvider
  /** Frees the chain. */
  readonly close: () => Promise<void>
}

interface RunningNode {
  readonly node: DevNode
  readonly network: HardhatNetwork
  /** Whether requests are logged. */
  readonly log: { isOn: boolean }
}

/** The nodes by their settings. They end with the process. */
export class HardhatNodes {
  readonly #nodes = new Map<string, Promise<RunningNode>>()
  /** The reports of the nodes, by option and place. */
  readonly #reports = new Set<string>()
  #lastWorld = 0

  /** Opens a new chain that behaves as the network. @throws NodeError 'invalidOption' */
  async open(config: DevNodeNetwork): Promise<OpenChain> {
    const { node, network, log } = await this.#nodeOf(config)
    const id = `connection-${++this.#lastWorld}`
    const world = node.world(id)
    const configure = () => configureNetwork(world, network, node.accounts)
    await configure()
    const settings = {
      errors: HARDHAT_3_ERRORS,
      throwOnCallFailures: config.throwOnCallFailures,
      configure,
      log,
    }
    return {
      provider: new HardhatProvider(world, settings),
      close: async () => {
        await node.provider.request({ method: 'dev_deleteWorld', params: [id] })
      },
    }
  }

  async #nodeOf(config: DevNodeNetwork): Promise<RunningNode> {
    const accounts = await plainAccounts(config.accounts)
    const settings = await settingsOf(config)
    const key = JSON.stringify([accounts, settings, config.devNode], bigintAsText)
    const running =
      this.#nodes.get(key) ?? this.#start({ ...settings, genesisAccounts: genesisAccounts(accounts) }, config)
    this.#nodes.set(key, running)
    running.catch(() => this.#nodes.delete(key))
    return running
  }

  async #start(network: HardhatNetwork, { devNode, artifacts }: DevNodeNetwork): Promise<RunningNode> {
    const { hold, explorer, ...given }: PluginOptions = devNode
    const found = await withArtifacts(given, artifacts, process.env)
    const options = hardhatOptions(network, { worldLimit: Number.MAX_SAFE_INTEGER, ...found }, process.env)
    const { node, embedded, hooks, log } = await startHardhatNode(this.#withOwnReports(options))
    const isWorker = process.env['MOCHA_WORKER_ID'] !== undefined
    await attachToProcess(node, hooks, isWorker ? {} : { explorer, hold })
    return { network, node: embedded, log }
  }

  /** Options without the reports that another node writes already. */
  #withOwnReports(options: Options): Options {
    const { coverage, gasReport } = options
    return {
      ...options,
      coverage: this.#isFirst('coverage', coverage) ? coverage : undefined,
      gasReport: this.#isFirst('gas', gasReport) && gasReport,
    }
  }

  #isFirst(report: string, place: unknown): boolean {
    const one = `${report} ${String(place)}`
    const isFirst = !this.#reports.has(one)
    this.#reports.add(one)
    return isFirst
  }
}

const bigintAsText = (_name: string, value: unknown): unknown =>
  typeof value === 'bigint' ? String(value) : value
