/** Makes the provider of Hardhat's network from a node in the same process. */

import { LOADED_AFTER_MS, limitHeapGrowth } from '../../base/heap-growth.ts'
import { paintOn } from '../../cli/io.ts'
import { RequestLog } from '../../cli/log.ts'
import { linesShown, type ConsoleOutput, type NodeHooks } from '../../config/request-log.ts'
import type { AllOptions } from '../../modules/options.ts'
import { MODULES } from '../../modules/list.ts'
import { createNode, type Node } from '../../node/node.ts'
import { DevNode, type DevAccount } from '../dev-node.ts'
import type { Provider } from '../provider-api.ts'
import { firstRequests, type HardhatNetwork } from './hardhat-network.ts'
import { HardhatProvider, type HardhatErrors } from './hardhat-provider.ts'

/** The Hardhat project that uses the node. */
export interface HardhatProject {
  readonly errors: HardhatErrors
  /** Whether requests are logged from the start. */
  readonly isLogging: boolean
  /** Whether the task `node` serves the network to other processes. */
  readonly isServed?: boolean
}

/** A node that behaves as a network of Hardhat. */
export interface StartedNode {
  readonly node: Node
  readonly embedded: DevNode
  readonly hooks: NodeHooks
  /** Whether requests are logged. */
  readonly log: { isOn: boolean }
}

/** Starts a node, which prints the console output of contracts as Hardhat does. */
export async function startHardhatNode(options: AllOptions, isWorker = false): Promise<StartedNode> {
  const log = { isOn: false }
  const hooks = hooksOf(log)
  const node = await createNode(options, { modules: MODULES, onFault: hooks.onFault, isWorker })
  setTimeout(limitHeapGrowth, LOADED_AFTER_MS).unref()
  return { node, embedded: new DevNode(node, hooks), hooks, log }
}

/** Sets what no option of the node sets, and returns the provider of a chain of the node. */
export async function hardhatProvider(
  chain: Provider,
  network: HardhatNetwork,
  { embedded, log, errors, isLogging }: Pick<StartedNode, 'embedded' | 'log'> & HardhatProject,
): Promise<HardhatProvider> {
  const configure = () => configureNetwork(chain, network, embedded.accounts)
  await configure()
  log.isOn ||= isLogging
  return new HardhatProvider(chain, {
    errors,
    throwOnCallFailures: network.throwOnCallFailures,
    configure,
    log,
  })
}

/** Sets what no option of the node sets. */
export async function configureNetwork(
  provider: Provider,
  network: HardhatNetwork,
  accounts: readonly DevAccount[],
): Promise<void> {
  const addresses = accounts.map(({ address }) => address)
  for (const [method, ...params] of firstRequests(network, addresses)) {
    await provider.request({ method, params })
  }
}

/** Prints the console output of contracts as Hardhat does, or all requests. */
function hooksOf(log: { readonly isOn: boolean }): NodeHooks {
  const paint = paintOn({ isTTY: process.stdout.isTTY, env: process.env })
  const write = (text: string): void => console.log(text.trimEnd())
  const requests = new RequestLog({ write, isTty: false, isVerbose: false, paint })
  return {
    onRequest: (entry) => {
      if (!log.isOn) return print((entry.console ?? []).filter(({ kind }) => kind !== 'estimate'))
      requests.add(entry)
      // At once, because tests print between requests.
      requests.flush()
    },
    readsConsoleOnly: () => !log.isOn,
    onBlock: (entry) => (log.isOn ? requests.addBlock(entry) : print(entry.console)),
    onFault: (error) => console.error('dev-node:', error),
    onNotice: (sentence) => console.error('dev-node:', sentence),
  }
}

function print(outputs: readonly ConsoleOutput[]): void {
  for (const { lines } of outputs) for (const text of lines) console.log(linesShown(text).join('\n'))
}
