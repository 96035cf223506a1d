/** The nodes of a process of Hardhat 3: one for all networks with the same settings, and a world of it for each connection. */

import type { OptionsInput } from '../../config/options.ts'
import type { DevNode } from '../dev-node.ts'
import type { DevNodeNetwork } from './hardhat3-config.ts'
import { HARDHAT_3_ERRORS } from './hardhat3-errors.ts'
import { genesisAccounts, plainAccounts, settingsOf } from './hardhat3-network.ts'
import { hardhatOptions } from './hardhat-network.ts'
import type { HardhatNetwork } from './hardhat-network.ts'
import { configureNetwork, startHardhatNode } from './hardhat-node.ts'
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
}

/** The nodes by their settings. They end with the process. */
export class HardhatNodes {
  readonly #nodes = new Map<string, Promise<RunningNode>>()
  /** Files that reports of the nodes are written to, by option. */
  readonly #reports = new Set<string>()
  #lastWorld = 0

  constructor() {
    process.once('beforeExit', () => void this.#close())
  }

  /** Opens a new chain that behaves as the network. @throws NodeError 'invalidOption' */
  async open(config: DevNodeNetwork): Promise<OpenChain> {
    const { node, network } = await this.#nodeOf(config)
    const id = `connection-${++this.#lastWorld}`
    const world = node.world(id)
    const configure = () => configureNetwork(world, network, node.accounts)
    await configure()
    const { throwOnCallFailures } = config
    return {
      provider: new HardhatProvider(world, { errors: HARDHAT_3_ERRORS, throwOnCallFailures, configure }),
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
      this.#nodes.get(key) ??
      start({ ...settings, genesisAccounts: genesisAccounts(accounts) }, this.#withOwnReports(config.devNode))
    this.#nodes.set(key, running)
    running.catch(() => this.#nodes.delete(key))
    return running
  }

  /** Options without the reports that another node writes already. */
  #withOwnReports(options: OptionsInput): OptionsInput {
    const { coverage, gasReport, ...others } = options
    const wanted = Object.entries({ coverage, gasReport }).filter(([name, value]) => {
      const report = `${name} ${String(value)}`
      if (value === undefined || this.#reports.has(report)) return false
      this.#reports.add(report)
      return true
    })
    return { ...others, ...Object.fromEntries(wanted) }
  }

  /** Lets the nodes write their reports. */
  async #close(): Promise<void> {
    await Promise.all([...this.#nodes.values()].map(async (running) => (await running).node.close()))
  }
}

async function start(network: HardhatNetwork, given: OptionsInput): Promise<RunningNode> {
  const options = hardhatOptions(network, { worldLimit: Number.MAX_SAFE_INTEGER, ...given }, process.env)
  const { embedded } = await startHardhatNode(options)
  return { network, node: embedded }
}

const bigintAsText = (_name: string, value: unknown): unknown =>
  typeof value === 'bigint' ? String(value) : value
